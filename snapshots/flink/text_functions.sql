SELECT
    UPPER(`s`) AS `u`,
    LOWER(`s`) AS `l`,
    CHAR_LENGTH(`s`) AS `n`,
    CONCAT(`s`, '!') AS `plus`,
    CONCAT(`s`, `p`) AS `c`
FROM (
    SELECT `s`, `p`
    FROM (VALUES
        ('Straße', '  x '),
        (CAST(NULL AS STRING), 'yy')
    ) AS `values`(`s`, `p`)
)

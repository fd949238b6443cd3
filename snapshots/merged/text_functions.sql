SELECT
    UPPER(`s`) AS `u`,
    LOWER(`s`) AS `l`,
    CHAR_LENGTH(`s`) AS `n`,
    CONCAT(`s`, '!') AS `plus`,
    CONCAT(`s`, `p`) AS `c`
FROM VALUES
    ('Straße', '  x '),
    (NULL, 'yy')
AS `values`(`s`, `p`)

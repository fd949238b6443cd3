SELECT
    `s` LIKE 'a%' AS `p`,
    `s` LIKE 'a!_b!%c' ESCAPE '!' AS `e`,
    `s` LIKE 'a\_b%' ESCAPE '\' AS `d`
FROM (
    SELECT `s`
    FROM (VALUES
        ('a_b%c'),
        ('axbyc'),
        ('A_b'),
        (CAST(NULL AS STRING))
    ) AS `values`(`s`)
)

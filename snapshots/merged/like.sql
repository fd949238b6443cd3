SELECT `s` LIKE 'a%' AS `p`, `s` LIKE 'a!_b!%c' ESCAPE '!' AS `e`, `s` LIKE 'a\\_b%' AS `d`
FROM VALUES
    ('a_b%c'),
    ('axbyc'),
    ('A_b'),
    (NULL)
AS `values`(`s`)

SELECT *
FROM VALUES
    (1, 'b'),
    (2, 'A'),
    (3, 'a'),
    (4, 'B'),
    (5, NULL)
AS `values`(`n`, `s`)
ORDER BY `s` COLLATE UNICODE, `n`

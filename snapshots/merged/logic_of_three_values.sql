SELECT `p` AND `q` AS `a`, `p` OR `q` AS `o`, NOT `p` AS `n`
FROM VALUES
    (TRUE, NULL),
    (FALSE, NULL),
    (NULL, NULL),
    (TRUE, FALSE)
AS `values`(`p`, `q`)

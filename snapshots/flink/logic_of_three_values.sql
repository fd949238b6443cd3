SELECT `p` AND `q` AS `a`, `p` OR `q` AS `o`, NOT `p` AS `n`
FROM (
    SELECT `p`, `q`
    FROM (VALUES
        (TRUE, CAST(NULL AS BOOLEAN)),
        (FALSE, CAST(NULL AS BOOLEAN)),
        (CAST(NULL AS BOOLEAN), CAST(NULL AS BOOLEAN)),
        (TRUE, FALSE)
    ) AS `values`(`p`, `q`)
)

SELECT `id`, `v`
FROM (
    SELECT `id`, `doc`, `v`
    FROM (
        SELECT `id`, `doc`
        FROM VALUES
            (1, '{"k": [5, 6]}'),
            (2, '{"k": []}'),
            (3, 'no JSON'),
            (4, NULL)
        AS `values`(`id`, `doc`)
    ) AS `d`
    LEFT OUTER JOIN LATERAL JSON_TABLE(`doc`, '$.k[*]' COLUMNS (`v` INT PATH '$')) AS `j`(`v`)
    ON `v` > 5
)

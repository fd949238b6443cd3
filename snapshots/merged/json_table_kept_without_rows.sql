SELECT `values`.`id`, `lateral`.`v`
FROM VALUES
    (1, '{"k": [5, 6]}'),
    (2, '{"k": []}'),
    (3, 'no JSON'),
    (4, NULL)
AS `values`(`id`, `doc`)
LEFT OUTER JOIN LATERAL JSON_TABLE(`values`.`doc`, '$.k[*]' COLUMNS (`v` INT PATH '$')) AS `lateral`(`v`)
ON `lateral`.`v` > 5

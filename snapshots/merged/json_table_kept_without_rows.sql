SELECT `d`.`id`, `j`.`v`
FROM VALUES
    (1, '{"k": [5, 6]}'),
    (2, '{"k": []}'),
    (3, 'no JSON'),
    (4, NULL)
AS `d`(`id`, `doc`)
LEFT OUTER JOIN LATERAL JSON_TABLE(`d`.`doc`, '$.k[*]' COLUMNS (`v` INT PATH '$')) AS `j`(`v`)
ON `j`.`v` > 5

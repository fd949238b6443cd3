SELECT `left_bag`.`x`, `j`.`v`, `j`.`n`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL JSON_TABLE(
    CONCAT('[', `left_bag`.`x`, ', ', `left_bag`.`x` * 10, ']'),
    '$[*]' COLUMNS (`v` INT PATH '$', `n` FOR ORDINALITY)
) AS `j`(`v`, `n`)
WHERE `left_bag`.`x` > 1
    AND `j`.`v` <> 3

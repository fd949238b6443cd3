SELECT `left_bag`.`x`, `lateral`.`v`, `lateral`.`n`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL JSON_TABLE(
    CONCAT('[', `left_bag`.`x`, ', ', `left_bag`.`x` * 10, ']'),
    '$[*]' COLUMNS (`v` INT PATH '$', `n` FOR ORDINALITY)
) AS `lateral`(`v`, `n`)
WHERE `left_bag`.`x` > 1
    AND `lateral`.`v` <> 3

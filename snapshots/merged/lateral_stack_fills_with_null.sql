SELECT `lateral`.`col0`, `lateral`.`col1`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL STACK(2, `left_bag`.`x`, `left_bag`.`y`, NULL) AS `lateral`(`col0`, `col1`)
WHERE `left_bag`.`x` = 2

SELECT `left_bag`.`x`, `left_bag`.`y`, `lateral`.`i`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL RANGE(1, 3) AS `lateral`(`i`)
WHERE `left_bag`.`x` < 3
    AND `lateral`.`i` >= `left_bag`.`x`

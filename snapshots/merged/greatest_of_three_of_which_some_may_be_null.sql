SELECT DISTINCT GREATEST(`x`, 0, `x` * -1) AS `size`
FROM `spark_catalog`.`programs`.`left_bag`

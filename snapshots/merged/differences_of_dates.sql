SELECT `day` - DATE '1999-12-01' AS `days`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` = 3

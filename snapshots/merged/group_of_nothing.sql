SELECT `a`, COUNT(`b`) AS `EXPR$0`
FROM `spark_catalog`.`programs`.`nothing`
GROUP BY `a`

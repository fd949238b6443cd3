SELECT `a`, `b`
FROM `spark_catalog`.`programs`.`nothing`
DISTRIBUTE BY `a`
SORT BY `b`

SELECT COUNT(`a`) + 1 AS `_c0`
FROM `spark_catalog`.`programs`.`nothing`

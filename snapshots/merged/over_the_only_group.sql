SELECT SUM(COUNT(`a`)) OVER () AS `_c0`, COUNT(MAX(`a`)) OVER () AS `_c1`
FROM `spark_catalog`.`programs`.`nothing`

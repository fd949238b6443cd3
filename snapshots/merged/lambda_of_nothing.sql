SELECT TRANSFORM(ARRAY(`a`), `x` -> `x` + 1) AS `x`
FROM `spark_catalog`.`programs`.`nothing`

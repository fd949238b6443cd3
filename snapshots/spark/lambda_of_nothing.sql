SELECT TRANSFORM(ARRAY(`a`), `x` -> `x` + 1) AS `x`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)

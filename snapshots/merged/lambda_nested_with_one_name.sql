SELECT
    TRANSFORM(`tags`, `x` -> CARDINALITY(TRANSFORM(ARRAY(1, 2), `x` -> `x` + 1)) + CHAR_LENGTH(`x`)) AS `inner`,
    TRANSFORM(ARRAY(1, 2), `x` -> TRANSFORM(ARRAY(10, 20), `x_0` -> `x_0` + `x`)) AS `both`
FROM `spark_catalog`.`programs`.`products`
WHERE `product` = 'pen'

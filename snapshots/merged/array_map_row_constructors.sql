SELECT
    ARRAY(1, `quantity`, NULL) AS `a`,
    MAP('q', `quantity`, 'z', 0) AS `m`,
    NAMED_STRUCT('f0', `sku`, 'f1', 1.5D, 'named', `quantity`) AS `r`,
    ARRAY(NAMED_STRUCT('f0', 1, 'f1', 'a'), NAMED_STRUCT('f0', 2, 'f1', 'b')) AS `n`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'

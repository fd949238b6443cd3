SELECT
    TRY_CAST('x' AS INT) AS `i`,
    TRY_CAST('1e3' AS DOUBLE) AS `d`,
    TRY_CAST('30.02.2024' AS DATE) AS `t`,
    TRY_CAST(300 AS TINYINT) AS `y`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'

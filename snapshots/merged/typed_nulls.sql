SELECT
    CAST(NULL AS INT) AS `i`,
    CAST(NULL AS DECIMAL(10, 2)) AS `m`,
    CAST(NULL AS ARRAY<STRING>) AS `a`,
    CAST(NULL AS STRUCT<`x y`: INT>) AS `r`,
    CAST(NULL AS INT) = 1 AS `e`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'cap'

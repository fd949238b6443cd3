SELECT
    CAST(`quantity` AS STRING) AS `s`,
    CAST('12' AS INT) AS `i`,
    CAST('2024-02-29' AS DATE) AS `d`,
    CAST('2024-02-29 01:02:03' AS TIMESTAMP_NTZ) AS `t`,
    CAST(`quantity` / 3 AS DECIMAL(6, 1)) AS `m`,
    CAST(`quantity` > 1 AS INT) AS `b`,
    CAST(`quantity` AS TINYINT) AS `y`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'

SELECT
    CAST(`quantity` AS STRING) AS `s`,
    CAST('12' AS INT) AS `i`,
    CAST('2024-02-29' AS DATE) AS `d`,
    CAST('2024-02-29 01:02:03' AS TIMESTAMP(6)) AS `t`,
    CAST(CAST(`quantity` AS DOUBLE) / CAST(3 AS DOUBLE) AS DECIMAL(6, 1)) AS `m`,
    CAST(`quantity` > 1 AS INT) AS `b`,
    CAST(`quantity` AS TINYINT) AS `y`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pad'
)

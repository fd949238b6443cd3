SELECT
    `line_order`,
    SUM(CAST(`quantity` AS BIGINT)) OVER (ORDER BY `line_order` ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS `s`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` <> 'pen'
)

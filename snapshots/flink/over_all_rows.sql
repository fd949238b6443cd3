SELECT `sku`, `percent`
FROM (
    SELECT
        `sku`,
        CAST(`quantity` * 100 AS DOUBLE) / CAST(SUM(CAST(`quantity` AS BIGINT)) OVER () AS DOUBLE) AS `percent`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)
WHERE `sku` = 'pad'

SELECT `line_order` % CAST(2 AS BIGINT) AS `odd`, SUM(CAST(`quantity` AS BIGINT)) AS `q`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)
GROUP BY `line_order` % CAST(2 AS BIGINT)

SELECT `sku`, `s`
FROM (
    SELECT `sku`, SUM(CAST(`quantity` AS BIGINT)) AS `s`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY GROUPING SETS ((`sku`), (`sku`))
)
WHERE `s` > 4

SELECT `EXPR$0`, `EXPR$0` AS `_c1`, `EXPR$0` AS `third`
FROM (
    SELECT SUM(CAST(`quantity` AS BIGINT)) AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)

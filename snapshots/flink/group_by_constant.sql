SELECT `EXPR$1` AS `q`
FROM (
    SELECT `EXPR$0`, SUM(CAST(`quantity` AS BIGINT)) AS `EXPR$1`
    FROM (
        SELECT `line_order`, `sku`, `quantity`, 1 AS `EXPR$0`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
    )
    GROUP BY `EXPR$0`
)

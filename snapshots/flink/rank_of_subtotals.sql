SELECT `sku`, CAST(RANK() OVER (PARTITION BY `EXPR$0` ORDER BY `EXPR$1` DESC) AS INT) AS `place`
FROM (
    SELECT `sku`, GROUPING(`sku`) AS `EXPR$0`, SUM(CAST(`quantity` AS BIGINT)) AS `EXPR$1`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY ROLLUP(`sku`)
)

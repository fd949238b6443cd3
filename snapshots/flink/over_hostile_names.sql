SELECT `window`, LAG(`EXPR$0`, 1) OVER (PARTITION BY `a``b.c` ORDER BY `window` DESC) AS `order by`
FROM (
    SELECT `line_order` AS `window`, `sku` AS `a``b.c`, `quantity` AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)

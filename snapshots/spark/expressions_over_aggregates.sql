SELECT UPPER(`sku`) AS `u`, `EXPR$0` * 10 + `EXPR$1` AS `e`
FROM (
    SELECT `sku`, SUM(`quantity`) AS `EXPR$0`, COUNT(`quantity`) AS `EXPR$1`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
)

SELECT
    `EXPR$0` AS `n`,
    EXISTS (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    ) AS `e`
FROM (
    SELECT
        SUM(CASE WHEN EXISTS (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `line_order` = `outer`.`order_id`
        ) THEN 1 ELSE 0 END) AS `EXPR$0`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
)

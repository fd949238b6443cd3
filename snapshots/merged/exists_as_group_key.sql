WITH `orders_computed` AS (
    SELECT
        `order_id`,
        `customer_id`,
        `ordered_at`,
        `amount`,
        `discount`,
        `status`,
        EXISTS (
            SELECT *
            FROM `spark_catalog`.`programs`.`lines`
            WHERE `line_order` = `orders`.`order_id`
        ) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT `EXPR$0` AS `has_lines`, SUM(`amount`) AS `total`
FROM `orders_computed`
GROUP BY `EXPR$0`
ORDER BY `has_lines`

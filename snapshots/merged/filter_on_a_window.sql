WITH `orders_windowed` AS (
    SELECT
        `order_id`,
        `customer_id`,
        `ordered_at`,
        `amount`,
        `discount`,
        `status`,
        ROW_NUMBER() OVER (PARTITION BY `status` ORDER BY `order_id` DESC) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT `status`, `order_id`
FROM `orders_windowed`
WHERE `EXPR$0` = 1

WITH `orders_computed` AS (
    SELECT
        `order_id`,
        `customer_id`,
        `ordered_at`,
        `amount`,
        `discount`,
        `status`,
        (
            SELECT `city`
            FROM `spark_catalog`.`programs`.`customers`
            WHERE `id` = `orders`.`customer_id`
        ) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT
    `EXPR$0` AS `city`,
    SUM(`amount` - (
        SELECT MIN(`quantity`)
        FROM `spark_catalog`.`programs`.`lines`
    )) AS `s`
FROM `orders_computed`
GROUP BY `EXPR$0`

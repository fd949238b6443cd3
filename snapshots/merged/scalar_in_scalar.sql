SELECT
    `id`,
    (
        SELECT MIN(`order_id`)
        FROM `spark_catalog`.`programs`.`orders`
        WHERE `customer_id` = `customers`.`id`
            AND (
                SELECT COUNT(1)
                FROM `spark_catalog`.`programs`.`lines`
                WHERE `line_order` = `orders`.`order_id`
            ) > 1
    ) AS `first`
FROM `spark_catalog`.`programs`.`customers`

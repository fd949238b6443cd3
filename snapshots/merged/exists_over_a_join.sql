SELECT `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE EXISTS (
    SELECT
        `orders`.`order_id`,
        `orders`.`customer_id`,
        `orders`.`ordered_at`,
        `orders`.`amount`,
        `orders`.`discount`,
        `orders`.`status`,
        `lines`.`line_order`,
        `lines`.`sku`,
        `lines`.`quantity`
    FROM `spark_catalog`.`programs`.`orders`
    INNER JOIN `spark_catalog`.`programs`.`lines`
    ON `orders`.`order_id` = `lines`.`line_order`
    WHERE `orders`.`customer_id` = `customers`.`id`
        AND `lines`.`sku` = 'pad'
)

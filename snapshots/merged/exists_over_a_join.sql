SELECT `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`orders`
    INNER JOIN `spark_catalog`.`programs`.`lines`
    ON `orders`.`order_id` = `lines`.`line_order`
    WHERE `orders`.`customer_id` = `customers`.`id`
        AND `lines`.`sku` = 'pad'
)

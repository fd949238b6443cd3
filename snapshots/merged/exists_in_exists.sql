SELECT `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`orders`
    WHERE `customer_id` = `customers`.`id`
        AND EXISTS (
            SELECT *
            FROM `spark_catalog`.`programs`.`lines`
            WHERE `line_order` = `orders`.`order_id`
                AND `quantity` > 5
        )
)

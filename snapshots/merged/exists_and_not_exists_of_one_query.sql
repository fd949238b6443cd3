SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `orders`.`order_id`
)
    AND NOT EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `orders`.`order_id`
            AND `quantity` > 5
    )

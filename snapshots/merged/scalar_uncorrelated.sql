SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE `amount` = (
    SELECT MAX(`amount`)
    FROM `spark_catalog`.`programs`.`orders`
)

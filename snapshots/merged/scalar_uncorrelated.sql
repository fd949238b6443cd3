SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE `amount` = (
    SELECT MAX(`amount`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`orders`
)

SELECT `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE `id` IN (
    SELECT `customer_id`
    FROM `spark_catalog`.`programs`.`orders`
)

SELECT `id`
FROM `spark_catalog`.`programs`.`customers`
WHERE `id` NOT IN (
    SELECT `customer_id`
    FROM `spark_catalog`.`programs`.`orders`
    WHERE `customer_id` IS NOT NULL
)

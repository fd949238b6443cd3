SELECT `id`, `name`
FROM `spark_catalog`.`programs`.`customers`
WHERE NOT EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`orders`
    WHERE `customer_id` = `customers`.`id`
)

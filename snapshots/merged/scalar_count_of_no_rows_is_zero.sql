SELECT
    `id`,
    (
        SELECT COUNT(1)
        FROM `spark_catalog`.`programs`.`orders`
        WHERE `customer_id` = `customers`.`id`
    ) + 0 AS `n`
FROM `spark_catalog`.`programs`.`customers`

SELECT `customers`.`id`
FROM `spark_catalog`.`programs`.`customers`
INNER JOIN `spark_catalog`.`programs`.`orders`
ON `customers`.`id` = `orders`.`customer_id` AND NOT EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`right_bag`
    WHERE `x` = `customers`.`id`
        AND `y` IS NULL
)

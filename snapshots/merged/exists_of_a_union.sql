SELECT `id`
FROM `spark_catalog`.`programs`.`customers`
WHERE EXISTS (
    SELECT `customer_id`
    FROM `spark_catalog`.`programs`.`orders`
    WHERE `customer_id` = `customers`.`id`
        AND `status` = 'lost'
    UNION ALL
    SELECT `x`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `y` = `customers`.`gender`
)

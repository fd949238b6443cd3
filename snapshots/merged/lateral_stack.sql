SELECT `orders`.`order_id`, `lateral`.`what`, `lateral`.`value`
FROM `spark_catalog`.`programs`.`orders`
INNER JOIN LATERAL STACK(
    2,
    'amount',
    CAST(`orders`.`amount` AS DOUBLE),
    'discount',
    `orders`.`discount`
) AS `lateral`(`what`, `value`)
WHERE `orders`.`order_id` = 100

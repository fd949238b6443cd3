SELECT `x`, `y`
FROM (
    (
        SELECT CAST(`x` AS DOUBLE) AS `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        ) AS `cast`
    ) UNION ALL (
        SELECT `discount`, `status`
        FROM (
            SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
            FROM `spark_catalog`.`programs`.`orders`
        )
    )
)
WHERE `x` > 2.0E-1

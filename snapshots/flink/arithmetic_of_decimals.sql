SELECT
    `amount` + 1.005 AS `p`,
    `amount` * CAST(2 AS DECIMAL(1, 0)) AS `t`,
    `amount` / CAST(3 AS DECIMAL(1, 0)) AS `d`,
    `amount` * (CAST(1 AS DECIMAL(1, 0)) - `amount`) AS `x`,
    `amount` % CAST(2 AS DECIMAL(1, 0)) AS `r`,
    `amount` + CAST(`order_id` AS DECIMAL(20, 0)) AS `b`,
    CAST(`amount` AS DOUBLE) + 5.0E-1 AS `f`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    WHERE `order_id` = 101
)

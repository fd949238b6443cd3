SELECT
    `order_id`,
    ROUND(`amount`, 1) AS `to_tenths`,
    ROUND(`amount`, -1) AS `to_tens`,
    ROUND(`discount`) AS `whole_discount`,
    CAST(CEIL(`amount`) AS DECIMAL(9, 0)) AS `up`,
    CAST(FLOOR(`amount`) AS DECIMAL(9, 0)) AS `down`,
    CEIL(`order_id`) AS `same`,
    CAST(CEIL(`discount`) AS BIGINT) AS `up_of_double`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    WHERE `order_id` < 104
)

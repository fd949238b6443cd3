SELECT `anonymous`, `p_most`, `p_n`, `none_most`, `none_n`
FROM (
    SELECT `customer_id` IS NULL AS `anonymous`, `status`, `amount`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
)
PIVOT (
    MAX(`amount`) AS `most`, COUNT(1) AS `n`
    FOR `status` IN ('paid' AS `p`, CAST(NULL AS STRING) AS `none`)
)

WITH `orders_computed` AS (
    SELECT `customer_id` IS NULL AS `anonymous`, `status`, `amount`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT `anonymous`, `p_most`, `p_n`, `none_most`, `none_n`
FROM `orders_computed`
PIVOT (
    MAX(`amount`) AS `most`, COUNT(1) AS `n`
    FOR `status` IN ('paid' AS `p`, CAST(NULL AS STRING) AS `none`)
)

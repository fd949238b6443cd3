WITH `orders_computed` AS (
    SELECT `customer_id`, `status`, `amount` > 6 AS `_c2`
    FROM `spark_catalog`.`programs`.`orders`
),
`orders_pivoted` AS (
    SELECT `customer_id`, `status`, `high`
    FROM `orders_computed`
    PIVOT (
        COUNT(1)
        FOR `_c2` IN (TRUE AS `high`)
    )
),
`orders_selected` AS (
    SELECT `status`, `customer_id`, `high`
    FROM `orders_pivoted`
)
SELECT `status`, `one`, `two`
FROM `orders_selected`
PIVOT (
    SUM(`high`)
    FOR `customer_id` IN (1 AS `one`, 2 AS `two`)
)

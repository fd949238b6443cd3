WITH `orders_selected` AS (
    SELECT `customer_id`, `status`, `amount`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT `customer_id`, `paid`, `open`
FROM `orders_selected`
PIVOT (
    SUM(`amount`)
    FOR `status` IN ('paid' AS `paid`, 'open' AS `open`)
)

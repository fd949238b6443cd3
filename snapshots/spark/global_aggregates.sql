SELECT
    MIN(`amount`) AS `lo`,
    MAX(`amount`) AS `hi`,
    AVG(`amount`) AS `mean`,
    COUNT(`amount`) AS `n`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)

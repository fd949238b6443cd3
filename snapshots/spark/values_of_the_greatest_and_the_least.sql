SELECT
    MAX_BY(`order_id`, `amount`) AS `most`,
    MIN_BY(`order_id`, `amount`) AS `least`,
    MAX_BY(`order_id`, `amount`, 2) AS `two`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)

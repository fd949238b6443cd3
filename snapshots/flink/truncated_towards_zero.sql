SELECT
    TRUNCATE(`order_id`, -1) AS `tens`,
    TRUNCATE(`amount`, 0) AS `whole`,
    TRUNCATE(`amount`, 1) AS `tenths`,
    TRUNCATE(`discount` * CAST(-10 AS DOUBLE), 0) AS `steps`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM `spark_catalog`.`programs`.`orders`
)

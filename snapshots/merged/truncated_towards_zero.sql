SELECT
    CAST(CASE WHEN `order_id` < 0 THEN CEIL(`order_id`, -1) ELSE FLOOR(`order_id`, -1) END AS BIGINT) AS `tens`,
    CASE WHEN `amount` < 0 THEN CEIL(`amount`, 0) ELSE FLOOR(`amount`, 0) END AS `whole`,
    CASE WHEN `amount` < 0 THEN CEIL(`amount`, 1) ELSE FLOOR(`amount`, 1) END AS `tenths`,
    `discount` * -10 - `discount` * -10 % 1.0D AS `steps`
FROM `spark_catalog`.`programs`.`orders`

SELECT
    MAX_BY(`order_id`, `amount`) AS `most`,
    MIN_BY(`order_id`, `amount`) AS `least`,
    MAX_BY(`order_id`, `amount`, 2) AS `two`
FROM `spark_catalog`.`programs`.`orders`

SELECT
    `order_id`,
    ROUND(`amount`, 1) AS `to_tenths`,
    ROUND(`amount`, -1) AS `to_tens`,
    ROUND(`discount`) AS `whole_discount`,
    CEIL(`amount`) AS `up`,
    FLOOR(`amount`) AS `down`,
    CEIL(`order_id`) AS `same`,
    CEIL(`discount`) AS `up_of_double`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` < 104

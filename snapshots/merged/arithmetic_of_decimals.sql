SELECT
    `amount` + 1.005 AS `p`,
    `amount` * 2 AS `t`,
    `amount` / 3 AS `d`,
    `amount` * (1 - `amount`) AS `x`,
    `amount` % 2 AS `r`,
    `amount` + `order_id` AS `b`,
    `amount` + 0.5D AS `f`
FROM `spark_catalog`.`programs`.`orders`
WHERE `order_id` = 101

-- `id` BIGINT NOT NULL
-- `customer_id` BIGINT NOT NULL
-- `day` DATE NOT NULL
-- `total` DECIMAL(31, 2)
-- `pieces` BIGINT
SELECT
    `valid_orders`.`id`,
    `valid_orders`.`customer_id`,
    `valid_orders`.`day`,
    SUM(`order_lines`.`quantity` * `order_lines`.`price`) AS `total`,
    SUM(`order_lines`.`quantity`) AS `pieces`
FROM `spark_catalog`.`sales`.`valid_orders`
INNER JOIN `spark_catalog`.`sales`.`order_lines`
ON `order_lines`.`order_id` = `valid_orders`.`id`
GROUP BY `valid_orders`.`id`, `valid_orders`.`customer_id`, `valid_orders`.`day`

-- `id` BIGINT NOT NULL
-- `name` STRING NOT NULL
-- `category` STRING NOT NULL
-- `revenue` DECIMAL(31, 2)
SELECT
    `products`.`id`,
    `products`.`name`,
    `products`.`category`,
    SUM(`order_lines`.`quantity` * `order_lines`.`price`) AS `revenue`
FROM `spark_catalog`.`sales`.`order_lines`
INNER JOIN `spark_catalog`.`sales`.`valid_orders`
ON `order_lines`.`order_id` = `valid_orders`.`id`
INNER JOIN `spark_catalog`.`sales`.`products`
ON `order_lines`.`product_id` = `products`.`id`
GROUP BY `products`.`id`, `products`.`name`, `products`.`category`

-- `id` BIGINT NOT NULL
-- `name` STRING NOT NULL
-- `category` STRING NOT NULL
-- `revenue` DECIMAL(31, 2)
SELECT
    `products`.`id`,
    `products`.`name`,
    `products`.`category`,
    SUM(`order_lines`.`quantity` * `order_lines`.`price`) AS `revenue`
FROM `main`.`sales`.`order_lines`
INNER JOIN `main`.`sales`.`valid_orders`
ON `order_lines`.`order_id` = `valid_orders`.`id`
INNER JOIN `main`.`sales`.`products`
ON `order_lines`.`product_id` = `products`.`id`
GROUP BY `products`.`id`, `products`.`name`, `products`.`category`

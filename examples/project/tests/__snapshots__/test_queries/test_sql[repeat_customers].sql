-- `id` BIGINT NOT NULL
-- `name` STRING NOT NULL
-- `spent` DECIMAL(38, 2) NOT NULL
SELECT
    `customers`.`id`,
    `customers`.`name`,
    IFNULL(SUM(`order_totals`.`total`), 0) AS `spent`
FROM `main`.`sales`.`customers`
LEFT OUTER JOIN `main`.`sales`.`order_totals`
ON `customers`.`id` = `order_totals`.`customer_id`
GROUP BY `customers`.`id`, `customers`.`name`, `customers`.`country`
HAVING COUNT(`order_totals`.`id`) >= 2

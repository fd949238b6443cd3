-- `id` BIGINT NOT NULL
-- `name` STRING NOT NULL
-- `country` STRING
-- `orders` BIGINT NOT NULL
-- `spent` DECIMAL(38, 2) NOT NULL
-- `last_day` DATE
SELECT
    `customers`.`id`,
    `customers`.`name`,
    `customers`.`country`,
    COUNT(`order_totals`.`id`) AS `orders`,
    IFNULL(SUM(`order_totals`.`total`), 0) AS `spent`,
    MAX(`order_totals`.`day`) AS `last_day`
FROM `spark_catalog`.`sales`.`customers`
LEFT OUTER JOIN `spark_catalog`.`sales`.`order_totals`
ON `customers`.`id` = `order_totals`.`customer_id`
GROUP BY `customers`.`id`, `customers`.`name`, `customers`.`country`

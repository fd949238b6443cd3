-- `country` STRING NOT NULL
-- `orders` BIGINT
-- `revenue` DECIMAL(38, 2)
WITH `customers_grouped` AS (
    SELECT
        IFNULL(`customers`.`country`, 'unknown') AS `country`,
        COUNT(`order_totals`.`id`) AS `orders`,
        IFNULL(SUM(`order_totals`.`total`), 0) AS `spent`
    FROM `main`.`sales`.`customers`
    LEFT OUTER JOIN `main`.`sales`.`order_totals`
    ON `customers`.`id` = `order_totals`.`customer_id`
    GROUP BY `customers`.`id`, `customers`.`name`, `customers`.`country`
)

SELECT `country`, SUM(`orders`) AS `orders`, SUM(`spent`) AS `revenue`
FROM `customers_grouped`
GROUP BY `country`

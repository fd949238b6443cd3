-- `country` STRING NOT NULL
-- `orders` BIGINT
-- `revenue` DECIMAL(38, 2)
SELECT
    IFNULL(`country`, 'unknown') AS `country`,
    SUM(`orders`) AS `orders`,
    SUM(`spent`) AS `revenue`
FROM `spark_catalog`.`sales`.`customer_value`
GROUP BY IFNULL(`country`, 'unknown')

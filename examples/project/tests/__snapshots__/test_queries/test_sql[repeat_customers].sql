-- `id` BIGINT NOT NULL
-- `name` STRING NOT NULL
-- `spent` DECIMAL(38, 2) NOT NULL
SELECT `id`, `name`, `spent`
FROM `spark_catalog`.`sales`.`customer_value`
WHERE `orders` >= 2

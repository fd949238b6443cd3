-- `id` BIGINT NOT NULL
-- `customer_id` BIGINT NOT NULL
-- `ordered` TIMESTAMP_LTZ NOT NULL
-- `day` DATE NOT NULL
SELECT `id`, `customer_id`, `ordered`, CAST(`ordered` AS DATE) AS `day`
FROM `spark_catalog`.`sales`.`orders`
WHERE `status` NOT IN ('cancelled', 'returned')

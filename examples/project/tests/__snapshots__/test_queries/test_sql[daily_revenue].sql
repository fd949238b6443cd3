-- `day` DATE NOT NULL
-- `revenue` DECIMAL(38, 2)
-- `orders` BIGINT NOT NULL
SELECT `day`, SUM(`total`) AS `revenue`, COUNT(1) AS `orders`
FROM `spark_catalog`.`sales`.`order_totals`
GROUP BY `day`

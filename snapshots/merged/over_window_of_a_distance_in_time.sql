SELECT
    `order_id`,
    MAX(`amount`) OVER (ORDER BY `ordered_at` RANGE BETWEEN INTERVAL '30' DAY PRECEDING AND CURRENT ROW) AS `most`
FROM `spark_catalog`.`programs`.`orders`

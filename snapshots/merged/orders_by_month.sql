SELECT TIME_BUCKET(INTERVAL '1' MONTH, `ordered_at`) AS `month`, COUNT(1) AS `orders`
FROM `spark_catalog`.`programs`.`orders`
GROUP BY TIME_BUCKET(INTERVAL '1' MONTH, `ordered_at`)

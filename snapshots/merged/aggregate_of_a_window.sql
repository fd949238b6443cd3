WITH `orders_windowed` AS (
    SELECT `status`, RANK() OVER (ORDER BY `amount`) AS `place`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT `status`, MAX(`place`) AS `EXPR$0`
FROM `orders_windowed`
GROUP BY `status`

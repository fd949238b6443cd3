WITH `orders_distinct` AS (
    SELECT DISTINCT `status`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT *
FROM `orders_distinct`
WHERE `status` IS NOT NULL

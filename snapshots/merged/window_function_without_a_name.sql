WITH `orders_grouped` AS (
    SELECT WINDOW(`ordered_at`, '364 days', '182 days') AS `EXPR$0`, MAX(`amount`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`orders`
    GROUP BY WINDOW(`ordered_at`, '364 days', '182 days')
)
SELECT `EXPR$0`.`start` AS `EXPR$1`, `EXPR$2`
FROM `orders_grouped`
WHERE `EXPR$2` > 50

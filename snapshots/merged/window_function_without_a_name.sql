SELECT WINDOW(`ordered_at`, '364 days', '182 days').`start` AS `EXPR$1`, MAX(`amount`) AS `EXPR$2`
FROM `spark_catalog`.`programs`.`orders`
GROUP BY WINDOW(`ordered_at`, '364 days', '182 days')
HAVING MAX(`amount`) > 50

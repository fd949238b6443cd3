WITH `customers_union` AS (
    SELECT `id`, `city` COLLATE UNICODE_CI AS `city`
    FROM `spark_catalog`.`programs`.`customers`
    UNION ALL
    SELECT `id` + 10 AS `_c0`, UPPER(`city`) COLLATE UNICODE_CI AS `_c1`
    FROM `spark_catalog`.`programs`.`customers`
)
SELECT LOWER(`city`) AS `city`, SUM(`id`) AS `ids`
FROM `customers_union`
GROUP BY `city`

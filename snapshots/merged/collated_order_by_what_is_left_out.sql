WITH `customers_computed` AS (
    SELECT `id`, `city` COLLATE UTF8_LCASE AS `town`, `city`
    FROM `spark_catalog`.`programs`.`customers`
    ORDER BY `town` = UPPER(`city`) COLLATE UTF8_BINARY, `id`
)
SELECT `id`
FROM `customers_computed`

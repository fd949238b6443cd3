WITH `customers_computed` AS (
    SELECT `id`, `city` COLLATE UTF8_LCASE AS `town`, `city`
    FROM `spark_catalog`.`programs`.`customers`
)
SELECT `id`, `town`
FROM `customers_computed`
WHERE `town` <> UPPER(`city`) COLLATE UTF8_BINARY

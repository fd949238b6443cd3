WITH `customers_computed` AS (
    SELECT `id` AS `one`, `city` COLLATE UNICODE_CI AS `city`
    FROM `spark_catalog`.`programs`.`customers`
),
`customers_computed_2` AS (
    SELECT `id` AS `other`, UPPER(`city`) COLLATE UNICODE_CI AS `town`
    FROM `spark_catalog`.`programs`.`customers`
)
SELECT `customers_computed`.`one`, `customers_computed_2`.`other`
FROM `customers_computed`
INNER JOIN `customers_computed_2`
ON `customers_computed`.`one` < `customers_computed_2`.`other`
WHERE `customers_computed`.`city` = `customers_computed_2`.`town`

WITH `customers_selected` AS (
    SELECT `gender`, `city`, `name`
    FROM `spark_catalog`.`programs`.`customers`
)
SELECT `gender`, `Berlin_last`, `Berlin_n`, `Paris_last`, `Paris_n`
FROM `customers_selected`
PIVOT (
    MAX(`name`) AS `last`, COUNT(`name`) AS `n`
    FOR `city` IN ('Berlin' AS `Berlin`, 'Paris' AS `Paris`)
)

WITH `customers_selected` AS (
    SELECT `city`, `gender`, `id`
    FROM `spark_catalog`.`programs`.`customers`
)
SELECT `b f`, `p`
FROM `customers_selected`
PIVOT (
    SUM(`id`) + 1
    FOR (`city`, `gender`) IN (('Berlin', 'f') AS `b f`, ('Paris', CAST(NULL AS STRING)) AS `p`)
)

WITH `customers_filtered` AS (
    SELECT `id`, `name`, `city`
    FROM `spark_catalog`.`programs`.`customers`
    WHERE `id` > 3
)
SELECT `id`, `what`, `value`
FROM `customers_filtered`
UNPIVOT INCLUDE NULLS (
    `value` FOR `what` IN (`name`, `city`)
)

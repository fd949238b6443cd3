WITH `customers_filtered` AS (
    SELECT `id`, `name`, `city`, `street`
    FROM `spark_catalog`.`programs`.`customers`
    WHERE `id` < 3
)
SELECT `id`, `kind`, `value`
FROM `customers_filtered`
UNPIVOT INCLUDE NULLS (
    `value` FOR `kind` IN (`name`, `city` AS `where`, `street` AS `where`)
)

WITH `customers_selected` AS (
    SELECT `name`, `gender`
    FROM `spark_catalog`.`programs`.`customers`
),
`customers_unpivoted` AS (
    SELECT `what`, `value`
    FROM `customers_selected`
    UNPIVOT INCLUDE NULLS (
        `value` FOR `what` IN (`name`, `gender`)
    )
)
SELECT *
FROM `customers_unpivoted`
WHERE `value` IS NOT NULL

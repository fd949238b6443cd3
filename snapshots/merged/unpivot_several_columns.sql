WITH `customers_filtered` AS (
    SELECT `id`, `name`, `gender`, `city`, `street`
    FROM `spark_catalog`.`programs`.`customers`
    WHERE `id` < 4
),
`customers_unpivoted` AS (
    SELECT `id`, `kind of`, `first`, `second`
    FROM `customers_filtered`
    UNPIVOT INCLUDE NULLS (
        (`first`, `second`) FOR `kind of` IN ((`name`, `gender`) AS `who's`, (`city`, `street`) AS `where`)
    )
)
SELECT *
FROM `customers_unpivoted`
WHERE `first` IS NOT NULL OR `second` IS NOT NULL

SELECT `id`, `kind`, `value`
FROM (
    SELECT `id`, `name`, `city`, `street`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
        WHERE `id` < 3
    )
)
UNPIVOT INCLUDE NULLS (
    `value` FOR `kind` IN (`name`, `city` AS `where`, `street` AS `where`)
)

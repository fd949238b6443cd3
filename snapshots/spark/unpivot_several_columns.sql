SELECT `id`, `kind of`, `first`, `second`
FROM (
    SELECT `id`, `kind of`, `first`, `second`
    FROM (
        SELECT `id`, `name`, `gender`, `city`, `street`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
            WHERE `id` < 4
        )
    )
    UNPIVOT INCLUDE NULLS (
        (`first`, `second`) FOR `kind of` IN ((`name`, `gender`) AS `who's`, (`city`, `street`) AS `where`)
    )
)
WHERE `first` IS NOT NULL OR `second` IS NOT NULL

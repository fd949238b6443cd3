SELECT `what`, `value`
FROM (
    SELECT `what`, `value`
    FROM (
        SELECT `name`, `gender`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    )
    UNPIVOT INCLUDE NULLS (
        `value` FOR `what` IN (`name`, `gender`)
    )
)
WHERE `value` IS NOT NULL

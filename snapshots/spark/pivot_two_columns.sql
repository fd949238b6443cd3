SELECT `b f`, `p`
FROM (
    SELECT `city`, `gender`, `id`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
)
PIVOT (
    SUM(`id`) + 1
    FOR (`city`, `gender`) IN (('Berlin', 'f') AS `b f`, ('Paris', CAST(NULL AS STRING)) AS `p`)
)

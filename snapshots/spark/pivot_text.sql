SELECT `gender`, `Berlin_last`, `Berlin_n`, `Paris_last`, `Paris_n`
FROM (
    SELECT `gender`, `city`, `name`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
)
PIVOT (
    MAX(`name`) AS `last`, COUNT(`name`) AS `n`
    FOR `city` IN ('Berlin' AS `Berlin`, 'Paris' AS `Paris`)
)

SELECT UPPER(`name`) AS `_c0`, `date_of_birth`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
            WHERE `gender` IS NOT NULL
        )
        WHERE `has_newsletter` = TRUE
    )
    WHERE `date_of_birth` >= ((CAST('1980-01-01' AS DATE)))
)

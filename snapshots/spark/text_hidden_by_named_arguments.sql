SELECT DISTINCT `zip`, `s`
FROM (
    SELECT
        MASK(`zip_code`, 'X', 'x', '#') AS `zip`,
        MASK(`street`, CAST(NULL AS STRING), 'x', 'n', '?') AS `s`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
)

SELECT `id`, ROW_NUMBER() OVER (ORDER BY UPPER(`city`) DESC, CHAR_LENGTH(`name`), `id`) AS `n`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
)

WITH `customers_processtablefunction` AS (
    SELECT `id`, `count`
    FROM `by_set`(
        `r` => TABLE(
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        ) PARTITION BY (`id`),
        `i` => 1L
    )
)
(
    SELECT `id`, `count`
    FROM `customers_processtablefunction`
) UNION ALL (
    SELECT `id`, `count`
    FROM `customers_processtablefunction`
)

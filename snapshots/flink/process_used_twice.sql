(
    SELECT `id`, `count`
    FROM `by_set`(
        `r` => (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        ) PARTITION BY (`id`),
        `i` => CAST(1 AS BIGINT)
    )
) UNION ALL (
    SELECT `id`, `count`
    FROM `by_set`(
        `r` => (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        ) PARTITION BY (`id`),
        `i` => CAST(1 AS BIGINT)
    )
)

SELECT `EXPR$0`, `EXPR$1`, `id`, `count`
FROM `by_set`(
    `r` => TABLE(
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    ) PARTITION BY (UPPER(`name`), `id` % 2, `id`) ORDER BY (CHAR_LENGTH(`name`) DESC NULLS FIRST, `zip_code` ASC),
    `i` => 3L
)

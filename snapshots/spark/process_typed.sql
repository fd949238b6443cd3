SELECT `EXPR$0`
FROM `typed_by_row`(
    `u` => TABLE(
        SELECT
            CAST(`id` AS BIGINT) AS `id`,
            `name`,
            `gender`,
            `has_newsletter`,
            `date_of_birth`,
            `street`,
            `zip_code`,
            `city`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    ),
    `i` => 1L,
    `uid` => 'u'
)

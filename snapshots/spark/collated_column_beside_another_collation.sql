SELECT `id`, `town`
FROM (
    SELECT `id`, `town`, `city`
    FROM (
        SELECT `id`, `city` COLLATE UTF8_LCASE AS `town`, `city`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    )
    WHERE `town` <> UPPER(`city`) COLLATE UTF8_BINARY
)

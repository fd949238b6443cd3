SELECT `city`, `most`
FROM (
    SELECT `city`, `most`
    FROM (
        SELECT `city`, `EXPR$0` COLLATE UTF8_LCASE AS `most`
        FROM (
            SELECT `city`, MAX(`city`) AS `EXPR$0`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
            GROUP BY `city`
        )
    )
    WHERE `most` <> UPPER(`city`) COLLATE UTF8_BINARY
)
ORDER BY `most` = UPPER(`city`) COLLATE UNICODE_CI DESC, `city`

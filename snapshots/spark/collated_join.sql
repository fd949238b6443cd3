SELECT `one`, `other`
FROM (
    SELECT `one`, `city`, `other`, `town`
    FROM (
        SELECT `one`, `city`, `other`, `town`
        FROM (
            SELECT `id` AS `one`, `city`
            FROM (
                SELECT `id`, `city` COLLATE UNICODE_CI AS `city`
                FROM (
                    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                    FROM `spark_catalog`.`programs`.`customers`
                )
            )
        )
        INNER JOIN (
            SELECT `id` AS `other`, UPPER(`city`) COLLATE UNICODE_CI AS `town`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
        )
    )
    WHERE `city` = `town` AND `one` < `other`
)

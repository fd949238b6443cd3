SELECT LOWER(`city`) AS `city`, `EXPR$0` AS `ids`
FROM (
    SELECT `city`, SUM(`id`) AS `EXPR$0`
    FROM (
        (
            SELECT `id`, `city` COLLATE UNICODE_CI AS `city`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
        ) UNION ALL (
            SELECT `id` + 10 AS `_c0`, UPPER(`city`) COLLATE UNICODE_CI AS `_c1`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
        )
    )
    GROUP BY `city`
)

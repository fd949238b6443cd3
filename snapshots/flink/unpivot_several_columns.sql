SELECT `id`, `kind of`, `first`, `second`
FROM (
    SELECT
        `id`,
        `label0` AS `kind of`,
        CASE WHEN `label0` = 'who''s' THEN `name` ELSE `city` END AS `first`,
        CASE WHEN `label0` = 'who''s' THEN `gender` ELSE `street` END AS `second`
    FROM (
        SELECT `id`, `name`, `gender`, `city`, `street`, `label0`
        FROM (
            SELECT `id`, `name`, `gender`, `city`, `street`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM (
                    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                    FROM `spark_catalog`.`programs`.`customers`
                )
                WHERE `id` < 4
            )
        )
        CROSS JOIN (
            SELECT `label0`
            FROM (VALUES
                ('who''s'),
                ('where')
            ) AS `values`(`label0`)
        )
    ) AS `unpivot`
)
WHERE `first` IS NOT NULL OR `second` IS NOT NULL

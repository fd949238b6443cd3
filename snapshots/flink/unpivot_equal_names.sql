SELECT
    `id`,
    `label0` AS `kind`,
    CASE WHEN `number0` = 0 THEN `name` WHEN `number0` = 1 THEN `city` ELSE `street` END AS `value`
FROM (
    SELECT `id`, `name`, `city`, `street`, `label0`, `number0`
    FROM (
        SELECT `id`, `name`, `city`, `street`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
            WHERE `id` < 3
        )
    )
    CROSS JOIN (
        SELECT `label0`, `number0`
        FROM (VALUES
            ('name', 0),
            ('where', 1),
            ('where', 2)
        ) AS `values`(`label0`, `number0`)
    )
) AS `unpivot`

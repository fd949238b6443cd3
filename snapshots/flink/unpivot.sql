SELECT `id`, `label0` AS `what`, CASE WHEN `label0` = 'name' THEN `name` ELSE `city` END AS `value`
FROM (
    SELECT `id`, `name`, `city`, `label0`
    FROM (
        SELECT `id`, `name`, `city`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
            WHERE `id` > 3
        )
    )
    CROSS JOIN (
        SELECT `label0`
        FROM (VALUES
            ('name'),
            ('city')
        ) AS `values`(`label0`)
    )
) AS `unpivot`

SELECT `what`, `value`
FROM (
    SELECT `label0` AS `what`, CASE WHEN `label0` = 'name' THEN `name` ELSE `gender` END AS `value`
    FROM (
        SELECT `name`, `gender`, `label0`
        FROM (
            SELECT `name`, `gender`
            FROM (
                SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
                FROM `spark_catalog`.`programs`.`customers`
            )
        )
        CROSS JOIN (
            SELECT `label0`
            FROM (VALUES
                ('name'),
                ('gender')
            ) AS `values`(`label0`)
        )
    ) AS `unpivot`
)
WHERE `value` IS NOT NULL

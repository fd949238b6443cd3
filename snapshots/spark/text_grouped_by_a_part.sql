SELECT RPAD(`area`, 5, 'x') AS `_c0`, `customers`
FROM (
    SELECT `area`, `customers`
    FROM (
        SELECT LEFT(`zip_code`, 2) AS `area`, COUNT(`id`) AS `customers`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
        GROUP BY LEFT(`zip_code`, 2)
    )
    WHERE `area` IS NOT NULL
)

SELECT
    `gender`,
    MAX(`name`) FILTER (WHERE `city` = 'Berlin') AS `Berlin_last`,
    COUNT(`name`) FILTER (WHERE `city` = 'Berlin') AS `Berlin_n`,
    MAX(`name`) FILTER (WHERE `city` = 'Paris') AS `Paris_last`,
    COUNT(`name`) FILTER (WHERE `city` = 'Paris') AS `Paris_n`
FROM (
    SELECT `gender`, `city`, `name`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
) AS `pivot ``last`` ``n```
GROUP BY `gender`

SELECT
    `gender`,
    `EXPR$0` AS `Berlin_last`,
    `EXPR$1` AS `Berlin_n`,
    `EXPR$2` AS `Paris_last`,
    `EXPR$3` AS `Paris_n`
FROM (
    SELECT
        `gender`,
        MAX(`name`) FILTER (WHERE `city` = 'Berlin') AS `EXPR$0`,
        COUNT(`name`) FILTER (WHERE `city` = 'Berlin') AS `EXPR$1`,
        MAX(`name`) FILTER (WHERE `city` = 'Paris') AS `EXPR$2`,
        COUNT(`name`) FILTER (WHERE `city` = 'Paris') AS `EXPR$3`
    FROM (
        SELECT `gender`, `city`, `name`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    )
    GROUP BY `gender`
)

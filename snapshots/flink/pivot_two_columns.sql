SELECT
    CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$1` + 1 END AS `b f`,
    CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$3` + 1 END AS `p`
FROM (
    SELECT
        COUNT(1) FILTER (WHERE `city` = 'Berlin' AND `gender` = 'f') AS `EXPR$0`,
        SUM(CAST(`id` AS BIGINT)) FILTER (WHERE `city` = 'Berlin' AND `gender` = 'f') AS `EXPR$1`,
        COUNT(1) FILTER (WHERE `city` = 'Paris' AND `gender` IS NULL) AS `EXPR$2`,
        SUM(CAST(`id` AS BIGINT)) FILTER (WHERE `city` = 'Paris' AND `gender` IS NULL) AS `EXPR$3`
    FROM (
        SELECT `city`, `gender`, `id`
        FROM (
            SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
            FROM `spark_catalog`.`programs`.`customers`
        )
    )
) AS `pivot`

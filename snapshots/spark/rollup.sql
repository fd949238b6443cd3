SELECT `city`, `gender`, `EXPR$0` AS `n`, `EXPR$1` AS `g`, `EXPR$2` AS `i`
FROM (
    SELECT
        `city`,
        `gender`,
        COUNT(1) AS `EXPR$0`,
        GROUPING(`gender`) AS `EXPR$1`,
        GROUPING_ID(`city`, `gender`) AS `EXPR$2`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
    GROUP BY ROLLUP(`city`, `gender`)
)

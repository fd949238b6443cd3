SELECT `gender`, `city`, `EXPR$0` AS `m`, `EXPR$1` AS `i`
FROM (
    SELECT `city`, `gender`, MAX(`id`) AS `EXPR$0`, GROUPING_ID(`city`, `gender`) AS `EXPR$1`
    FROM (
        SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
        FROM `spark_catalog`.`programs`.`customers`
    )
    GROUP BY GROUPING SETS ((`city`, `gender`), (`gender`), ())
)

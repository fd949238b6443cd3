SELECT
    `city`,
    `gender`,
    COUNT(1) AS `n`,
    GROUPING(`gender`) AS `g`,
    GROUPING_ID(`city`, `gender`) AS `i`
FROM (
    SELECT `id`, `name`, `gender`, `has_newsletter`, `date_of_birth`, `street`, `zip_code`, `city`
    FROM `spark_catalog`.`programs`.`customers`
)
GROUP BY ROLLUP(`city`, `gender`)

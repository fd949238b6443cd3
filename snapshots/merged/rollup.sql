SELECT
    `city`,
    `gender`,
    COUNT(1) AS `n`,
    GROUPING(`gender`) AS `g`,
    GROUPING_ID(`city`, `gender`) AS `i`
FROM `spark_catalog`.`programs`.`customers`
GROUP BY ROLLUP(`city`, `gender`)

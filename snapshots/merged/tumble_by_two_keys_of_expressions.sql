SELECT
    UPPER(`k`) AS `upper`,
    `v` % 2 AS `EXPR$0`,
    COUNT(1) AS `EXPR$1`,
    WINDOW(`ts`, '10 minutes').`end` AS `EXPR$2`
FROM `spark_catalog`.`programs`.`events`
GROUP BY UPPER(`k`), WINDOW(`ts`, '10 minutes'), `v` % 2

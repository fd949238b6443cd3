SELECT
    (
        SELECT `a`
        FROM `spark_catalog`.`programs`.`nothing`
    ) AS `a`,
    (
        SELECT COUNT(1)
        FROM `spark_catalog`.`programs`.`nothing`
    ) + 1 AS `n`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2

SELECT DISTINCT
    `x` = 1 AS `eq`,
    `x` <> 1 AS `ne`,
    `x` < 2 AS `lt`,
    `x` <= 2 AS `le`,
    `x` > 2 AS `gt`,
    `x` >= 2 AS `ge`
FROM `spark_catalog`.`programs`.`left_bag`

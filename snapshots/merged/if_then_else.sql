SELECT DISTINCT
    `x`,
    CASE WHEN `x` > 1 THEN 'many' ELSE 'one' END AS `c`,
    CASE WHEN `x` = 3 THEN 'three' ELSE CASE WHEN `x` = 2 THEN 'two' ELSE `y` END END AS `n`
FROM `spark_catalog`.`programs`.`left_bag`

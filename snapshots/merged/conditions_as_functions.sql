SELECT
    `x`,
    CASE WHEN `x` > 1 THEN 'many' ELSE 'one' END AS `size`,
    CASE WHEN `y` IS NOT NULL THEN `y` ELSE 'none' END AS `name`,
    NULLIF(`x`, 2) AS `not_two`,
    COALESCE(`x`, 0) AS `number`,
    `y` IS NOT DISTINCT FROM CAST(NULL AS STRING) AS `is_missing`
FROM `spark_catalog`.`programs`.`left_bag`

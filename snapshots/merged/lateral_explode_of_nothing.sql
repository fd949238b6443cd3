SELECT `nothing`.`a`, `nothing`.`b`, `lateral`.`x`, `lateral_2`.`y`
FROM `spark_catalog`.`programs`.`nothing`
INNER JOIN LATERAL EXPLODE(ARRAY(`nothing`.`a`, 1)) AS `lateral`(`x`)
INNER JOIN LATERAL EXPLODE_OUTER(ARRAY(`nothing`.`b`)) AS `lateral_2`(`y`)

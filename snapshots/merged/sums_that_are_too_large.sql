SELECT TRY_SUM(`big`) AS `sum`, TRY_SUM(`n`) AS `fits`, TRY_AVG(`n`) AS `mean`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` = 1 OR `n` = 3

SELECT EXTRACT(SECOND FROM `at`) AS `s`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` < 3

SELECT `at` - TIMESTAMP_NTZ '1999-12-31 12:00:00' AS `half`, `at` - `at` AS `none`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` = 3

SELECT PERCENTILE(`v`, 0.25D) AS `quarter`, PERCENTILE(`v`, ARRAY(0.5D, 1.0D)) AS `both`
FROM `spark_catalog`.`programs`.`events`

SELECT DISTINCT IFNULL(`y`, 'none') AS `i`, COALESCE(CAST(NULL AS INT), `x`, -1) AS `c`
FROM `spark_catalog`.`programs`.`left_bag`

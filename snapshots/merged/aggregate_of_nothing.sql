SELECT COUNT(`a`) AS `n`, SUM(`a`) AS `s`, COALESCE(SUM(`a`), 0L) AS `z`
FROM `spark_catalog`.`programs`.`nothing`

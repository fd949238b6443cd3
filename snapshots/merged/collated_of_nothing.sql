SELECT `b` COLLATE UNICODE_CI AS `b`, MAX(`a`) AS `most`
FROM `spark_catalog`.`programs`.`nothing`
GROUP BY `b` COLLATE UNICODE_CI

SELECT `e`, COUNTER_DIFF(`v`) OVER (ORDER BY `e`) AS `more`
FROM `spark_catalog`.`programs`.`events`
WHERE `k` = 'b'

SELECT SESSION_WINDOW(`ts`, '1 hour').`start` AS `EXPR$0_0`, `k` AS `EXPR$0`, SUM(`v`) AS `EXPR$1`
FROM `spark_catalog`.`programs`.`events`
GROUP BY `k`, SESSION_WINDOW(`ts`, '1 hour')

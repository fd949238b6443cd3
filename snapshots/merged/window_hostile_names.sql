WITH `events_grouped` AS (
    SELECT `k` AS `a``b.c`, SESSION_WINDOW(`ts`, '1 hour') AS `end of ``w```, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY `k`, SESSION_WINDOW(`ts`, '1 hour')
)
SELECT `end of ``w```.`start` AS `EXPR$0_0`, `a``b.c` AS `EXPR$0`, `EXPR$1`
FROM `events_grouped`

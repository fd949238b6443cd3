SELECT `end of ``w```.`start` AS `EXPR$0_0`, `a``b.c` AS `EXPR$0`, `EXPR$1`
FROM (
    SELECT `a``b.c`, SESSION_WINDOW(`start`, '1 hour') AS `end of ``w```, SUM(`EXPR$1`) AS `EXPR$1`
    FROM (
        SELECT `ts` AS `start`, `k` AS `a``b.c`, `v` AS `EXPR$1`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    )
    GROUP BY `a``b.c`, SESSION_WINDOW(`start`, '1 hour')
)

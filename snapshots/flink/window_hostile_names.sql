SELECT `end of ``w```.`start` AS `EXPR$0_0`, `a``b.c` AS `EXPR$0`, `EXPR$1`
FROM (
    SELECT
        `a``b.c`,
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `end of ``w```,
        SUM(CAST(`EXPR$1` AS BIGINT)) AS `EXPR$1`
    FROM TABLE(
        SESSION((
            SELECT `ts` AS `start`, `k` AS `a``b.c`, `v` AS `EXPR$1`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
        ) PARTITION BY (`a``b.c`), DESCRIPTOR(`start`), INTERVAL '1' HOUR)
    )
    GROUP BY `a``b.c`, `window_start`, `window_end`
)

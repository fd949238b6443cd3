SELECT `h`.`start` AS `hour`, `EXPR$1` AS `s`, `EXPR$2` AS `c`
FROM (
    SELECT
        WINDOW(WINDOW_TIME(`window`), '1 hour') AS `h`,
        SUM(`s`) AS `EXPR$1`,
        COUNT(`window`) AS `EXPR$2`
    FROM (
        SELECT WINDOW(`ts`, '10 minutes') AS `window`, SUM(`v`) AS `s`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY WINDOW(`ts`, '10 minutes')
    )
    GROUP BY WINDOW(WINDOW_TIME(`window`), '1 hour')
)

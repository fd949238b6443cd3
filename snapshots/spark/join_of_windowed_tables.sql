SELECT `ws_a`, `s_a`, `ws_b`, `s_b`
FROM (
    SELECT `w`.`start` AS `ws_a`, `EXPR$1` AS `s_a`
    FROM (
        SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            WHERE `k` = 'a'
        )
        GROUP BY WINDOW(`ts`, '10 minutes')
    )
)
INNER JOIN (
    SELECT `w`.`start` AS `ws_b`, `EXPR$1` AS `s_b`
    FROM (
        SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            WHERE `k` = 'b'
        )
        GROUP BY WINDOW(`ts`, '10 minutes')
    )
)
ON `ws_a` = `ws_b`

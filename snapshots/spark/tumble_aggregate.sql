SELECT `we`, `s`
FROM (
    SELECT `w`.`end` AS `we`, `s`
    FROM (
        SELECT `k`, `w`, `EXPR$0` + 1 AS `s`
        FROM (
            SELECT `k`, WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$0`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            GROUP BY `k`, WINDOW(`ts`, '10 minutes')
        )
    )
)
WHERE `s` > 5

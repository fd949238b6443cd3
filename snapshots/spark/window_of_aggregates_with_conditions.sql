SELECT `ws`, `b`, `n`
FROM (
    SELECT `w`.`start` AS `ws`, `EXPR$1` AS `b`, `EXPR$2` AS `n`
    FROM (
        SELECT
            WINDOW(`ts`, '10 minutes', '5 minutes') AS `w`,
            SUM(`v`) FILTER (WHERE `k` = 'b') AS `EXPR$1`,
            COUNT(`e`) AS `EXPR$2`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY WINDOW(`ts`, '10 minutes', '5 minutes')
    )
)
WHERE `b` IS NOT NULL

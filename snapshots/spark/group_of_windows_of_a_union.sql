WITH `events_selected` AS (
    SELECT `k`, `ts`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
)
SELECT `k`, MAX(`n`) AS `most`
FROM (
    SELECT `k`, `EXPR$0` AS `n`
    FROM (
        SELECT WINDOW(`ts`, '10 minutes') AS `w`, `k`, COUNT(1) AS `EXPR$0`
        FROM (
            (
                SELECT `k`, `ts`
                FROM `events_selected`
            ) UNION ALL (
                SELECT `k`, `ts`
                FROM `events_selected`
            )
        )
        GROUP BY WINDOW(`ts`, '10 minutes'), `k`
    )
)
GROUP BY `k`

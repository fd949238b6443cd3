SELECT `k`
FROM (
    SELECT `k`, `hour`
    FROM (
        SELECT `k`, WINDOW(`latest`, '1 hour') AS `hour`
        FROM (
            SELECT `k`, MAX(`ts`) AS `latest`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            GROUP BY `k`
        )
    )
    WHERE `hour`.`start` = TIMESTAMP_NTZ '2024-01-01 10:00:00'
)

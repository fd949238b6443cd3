SELECT `w`, `m`
FROM (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, MAX(`v`) AS `m`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    GROUP BY WINDOW(`ts`, '10 minutes')
)
WHERE `w`.`start` >= CAST('2024-01-01 10:30:00' AS TIMESTAMP_NTZ)

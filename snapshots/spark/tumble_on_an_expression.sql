SELECT `k`, `ws`, `s`
FROM (
    SELECT `k`, `w`.`start` AS `ws`, `EXPR$1` AS `s`
    FROM (
        SELECT
            `k`,
            WINDOW(CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '2' HOUR, '1 hour') AS `w`,
            SUM(`v`) AS `EXPR$1`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY `k`, WINDOW(CAST(`day` AS TIMESTAMP_NTZ) + INTERVAL '2' HOUR, '1 hour')
    )
)
WHERE `k` = 'a'

SELECT `window_start`, `k`.`start` AS `s`, `window_end`, `v`
FROM (
    SELECT
        `k` AS `window_start`,
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `k`,
        SUM(CAST(`v` AS BIGINT)) AS `window_end`,
        COUNT(1) AS `v`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
    )
    GROUP BY `k`, `window_start`, `window_end`
)

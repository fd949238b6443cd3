SELECT
    CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
    SUM(CAST(`e` AS BIGINT)) AS `s`
FROM TABLE(
    HOP((
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        WHERE `e` = 6
    ), DESCRIPTOR(`ts`), INTERVAL '4' MINUTE, INTERVAL '10' MINUTE)
)
GROUP BY `window_start`, `window_end`

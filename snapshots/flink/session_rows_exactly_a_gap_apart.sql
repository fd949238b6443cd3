SELECT
    CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
    COUNT(1) AS `n`
FROM TABLE(
    SESSION((
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        WHERE `e` IN (1, 3)
    ), DESCRIPTOR(`ts`), INTERVAL '5' MINUTE)
)
GROUP BY `window_start`, `window_end`

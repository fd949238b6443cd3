SELECT `w`, `m`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        MAX(`v`) AS `m`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
    )
    GROUP BY `window_start`, `window_end`
)
WHERE `w`.`start` >= ((CAST('2024-01-01 10:30:00' AS TIMESTAMP(6))))

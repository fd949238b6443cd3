SELECT `w`.`start` AS `ws`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        `k`
    FROM TABLE(
        TUMBLE((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
    )
    GROUP BY `window_start`, `window_end`, `k`
)

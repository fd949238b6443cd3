SELECT `k`, `w`.`start` AS `ws`, `w`.`end` AS `we`, `EXPR$2` AS `s`
FROM (
    SELECT
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
        `k`,
        SUM(CAST(`v` AS BIGINT)) AS `EXPR$2`
    FROM TABLE(
        SESSION((
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        ) PARTITION BY (`k`), DESCRIPTOR(`ts`), INTERVAL '6' MINUTE)
    )
    GROUP BY `window_start`, `window_end`, `k`
)

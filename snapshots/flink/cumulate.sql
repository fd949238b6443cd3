SELECT `w`.`start` AS `ws`, `w`.`end` AS `we`, `EXPR$0` AS `s`
FROM (
    SELECT `w`, SUM(CAST(`v` AS BIGINT)) AS `EXPR$0`
    FROM (
        SELECT
            `e`,
            `k`,
            `v`,
            `ts`,
            `instant`,
            `day`,
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6) NOT NULL>) AS `w`
        FROM TABLE(
            CUMULATE((
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            ), DESCRIPTOR(`ts`), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
        )
    )
    GROUP BY `w`
)

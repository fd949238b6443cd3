SELECT `k`, `last`, `n`
FROM (
    SELECT `k`, `w`.`end` - INTERVAL '0.001' SECOND(2, 3) AS `last`, `EXPR$0` AS `n`
    FROM (
        SELECT `k`, `w`, COUNT(1) AS `EXPR$0`
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
                    FROM (
                        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                        FROM `spark_catalog`.`programs`.`events`
                    )
                    WHERE `ts` < TIMESTAMP '2024-01-01 10:10:00'
                ), DESCRIPTOR(`ts`), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
            )
        )
        GROUP BY `k`, `w`
    )
)
WHERE `n` > 1

SELECT `k`, MAX(`n`) AS `most`
FROM (
    SELECT `k`, `EXPR$0` AS `n`
    FROM (
        SELECT
            CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6)>) AS `w`,
            `k`,
            COUNT(1) AS `EXPR$0`
        FROM TABLE(
            TUMBLE((
                SELECT `k`, `ts`
                FROM (
                    (
                        SELECT `k`, `ts`
                        FROM (
                            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                            FROM `spark_catalog`.`programs`.`events`
                        )
                    ) UNION ALL (
                        SELECT `k`, `ts`
                        FROM (
                            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                            FROM `spark_catalog`.`programs`.`events`
                        )
                    )
                )
            ), DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)
        )
        GROUP BY `window_start`, `window_end`, `k`
    )
)
GROUP BY `k`

SELECT `k`, `last`, `n`
FROM (
    SELECT `k`, `w`.`end` - INTERVAL '0.001' SECOND AS `last`, `EXPR$0` AS `n`
    FROM (
        SELECT `k`, `w`, COUNT(1) AS `EXPR$0`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM (
                    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                    FROM `spark_catalog`.`programs`.`events`
                )
                WHERE `ts` < TIMESTAMP_NTZ '2024-01-01 10:10:00'
            )
            INNER JOIN LATERAL EXPLODE(TRANSFORM(
                FILTER(
                    SEQUENCE(
                        TIME_BUCKET(INTERVAL '10' MINUTE, `ts`) + INTERVAL '5' MINUTE,
                        TIME_BUCKET(INTERVAL '10' MINUTE, `ts`) + INTERVAL '10' MINUTE,
                        INTERVAL '5' MINUTE
                    ),
                    `end` -> `end` > `ts`
                ),
                `end` -> NAMED_STRUCT('start', TIME_BUCKET(INTERVAL '10' MINUTE, `ts`), 'end', `end`)
            )) AS `lateral`(`w`)
        )
        GROUP BY `k`, `w`
    )
)
WHERE `n` > 1

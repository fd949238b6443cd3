SELECT `w`.`start` AS `ws`, `w`.`end` AS `we`, `EXPR$0` AS `s`
FROM (
    SELECT `w`, SUM(`v`) AS `EXPR$0`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
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
    GROUP BY `w`
)

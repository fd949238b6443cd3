SELECT `v`, `w`.`start` AS `ws`, `w`.`end` AS `we`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            FILTER(
                SEQUENCE(
                    TIME_BUCKET(
                        INTERVAL '1' HOUR,
                        `ts`,
                        TIMESTAMP_NTZ '1970-01-01 00:15:00'
                    ) + INTERVAL '30' MINUTE,
                    TIME_BUCKET(
                        INTERVAL '1' HOUR,
                        `ts`,
                        TIMESTAMP_NTZ '1970-01-01 00:15:00'
                    ) + INTERVAL '1' HOUR,
                    INTERVAL '30' MINUTE
                ),
                `end` -> `end` > `ts`
            ),
            `end` -> NAMED_STRUCT(
                'start',
                TIME_BUCKET(INTERVAL '1' HOUR, `ts`, TIMESTAMP_NTZ '1970-01-01 00:15:00'),
                'end',
                `end`
            )
        )) AS `lateral`(`w`)
    )
    WHERE `v` > 4
)

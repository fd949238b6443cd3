SELECT `window_start`, `window_end`
FROM (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        `window`.`start` AS `window_start`,
        `window`.`end` AS `window_end`,
        `window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `window`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
            WHERE `v` = 4
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            FILTER(
                SEQUENCE(
                    UNIX_MICROS(`instant`) - PMOD(
                        UNIX_MICROS(`instant`) - 3600000000L,
                        28800000000L
                    ) - 57600000000L,
                    UNIX_MICROS(`instant`) - PMOD(UNIX_MICROS(`instant`) - 3600000000L, 28800000000L),
                    28800000000L
                ),
                `start` -> `start` + 72000000000L > UNIX_MICROS(`instant`)
            ),
            `start` -> NAMED_STRUCT(
                'start',
                TIMESTAMP_MICROS(`start`),
                'end',
                TIMESTAMP_MICROS(`start` + 72000000000L)
            )
        )) AS `lateral`(`window`)
    )
)

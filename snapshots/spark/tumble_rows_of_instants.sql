SELECT `v`, `window_start`, `window_time`
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
            FROM `spark_catalog`.`programs`.`events`
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            SEQUENCE(
                UNIX_MICROS(`instant`) - PMOD(UNIX_MICROS(`instant`) - -21600000000L, 86400000000L),
                UNIX_MICROS(`instant`) - PMOD(UNIX_MICROS(`instant`) - -21600000000L, 86400000000L),
                86400000000L
            ),
            `start` -> NAMED_STRUCT(
                'start',
                TIMESTAMP_MICROS(`start`),
                'end',
                TIMESTAMP_MICROS(`start` + 86400000000L)
            )
        )) AS `lateral`(`window`)
    )
)

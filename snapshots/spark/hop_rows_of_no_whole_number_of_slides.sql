SELECT
    `v`,
    `window`.`start` AS `window_start`,
    `window`.`end` AS `window_end`,
    `window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `window`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `window`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            FILTER(
                SEQUENCE(
                    TIME_BUCKET(
                        INTERVAL '4' MINUTE,
                        `ts`,
                        TIMESTAMP_NTZ '1970-01-01 00:01:00'
                    ) - INTERVAL '8' MINUTE,
                    TIME_BUCKET(INTERVAL '4' MINUTE, `ts`, TIMESTAMP_NTZ '1970-01-01 00:01:00'),
                    INTERVAL '4' MINUTE
                ),
                `start` -> `start` + INTERVAL '10' MINUTE > `ts`
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
        )) AS `lateral`(`window`)
    )
    WHERE `v` = 1 OR `v` = 3
)

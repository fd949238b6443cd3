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
            SEQUENCE(
                TIME_BUCKET(INTERVAL '1' HOUR, `ts`, TIMESTAMP_NTZ '1970-01-01 00:02:00'),
                TIME_BUCKET(INTERVAL '1' HOUR, `ts`, TIMESTAMP_NTZ '1970-01-01 00:02:00'),
                INTERVAL '1' HOUR
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' HOUR)
        )) AS `lateral`(`window`)
    )
    WHERE `v` < 7
)

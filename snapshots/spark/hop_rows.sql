SELECT `v`, `window_start`, `window_end`, `window_time`
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
            WHERE `v` IN (2, 3, 4)
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            SEQUENCE(
                TIME_BUCKET(INTERVAL '5' MINUTE, `ts`) - INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '5' MINUTE, `ts`),
                INTERVAL '5' MINUTE
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
        )) AS `lateral`(`window`)
    )
)

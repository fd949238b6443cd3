SELECT `window_end`, SUM(`v`) AS `s`
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
                TIME_BUCKET(INTERVAL '30' MINUTE, `ts`),
                TIME_BUCKET(INTERVAL '30' MINUTE, `ts`),
                INTERVAL '30' MINUTE
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '30' MINUTE)
        )) AS `lateral`(`window`)
    )
)
GROUP BY `window_end`

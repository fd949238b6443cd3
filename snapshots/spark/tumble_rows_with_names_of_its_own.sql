SELECT
    `window_start`,
    `Window_End`,
    `window`,
    `a``b`,
    `window_0`.`start` AS `window_start0`,
    `window_0`.`end` AS `window_end0`,
    `window_0`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM (
    SELECT `window_start`, `Window_End`, `window`, `a``b`, `window_0`
    FROM (
        SELECT `v` AS `window_start`, `e` AS `Window_End`, `k` AS `window`, `ts` AS `a``b`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
    )
    INNER JOIN LATERAL EXPLODE(TRANSFORM(
        SEQUENCE(
            TIME_BUCKET(INTERVAL '1' DAY, `a``b`),
            TIME_BUCKET(INTERVAL '1' DAY, `a``b`),
            INTERVAL '1' DAY
        ),
        `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' DAY)
    )) AS `lateral`(`window_0`)
)

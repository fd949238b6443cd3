WITH `events_computed` AS (
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
                TIME_BUCKET(INTERVAL '10' MINUTE, `ts`),
                TIME_BUCKET(INTERVAL '10' MINUTE, `ts`),
                INTERVAL '10' MINUTE
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
        )) AS `lateral`(`window`)
    )
)
SELECT `v`, `b_v` AS `w`, `window_start`
FROM (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        `window_start`,
        `window_end`,
        `window_time`,
        `b_e`,
        `b_k`,
        `b_v`,
        `b_ts`,
        `b_instant`,
        `b_day`,
        `b_window_start`,
        `b_window_end`,
        `b_window_time`
    FROM `events_computed` AS `a`
    INNER JOIN (
        SELECT
            `e` AS `b_e`,
            `k` AS `b_k`,
            `v` AS `b_v`,
            `ts` AS `b_ts`,
            `instant` AS `b_instant`,
            `day` AS `b_day`,
            `window_start` AS `b_window_start`,
            `window_end` AS `b_window_end`,
            `window_time` AS `b_window_time`
        FROM `events_computed`
    ) AS `b`
    ON `window_start` = `b_window_start` AND `window_end` = `b_window_end` AND `v` < `b_v`
)

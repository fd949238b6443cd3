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
        `a`.`e`,
        `a`.`k`,
        `a`.`v`,
        `a`.`ts`,
        `a`.`instant`,
        `a`.`day`,
        `a`.`window_start`,
        `a`.`window_end`,
        `a`.`window_time`,
        `b`.`e` AS `b_e`,
        `b`.`k` AS `b_k`,
        `b`.`v` AS `b_v`,
        `b`.`ts` AS `b_ts`,
        `b`.`instant` AS `b_instant`,
        `b`.`day` AS `b_day`,
        `b`.`window_start` AS `b_window_start`,
        `b`.`window_end` AS `b_window_end`,
        `b`.`window_time` AS `b_window_time`
    FROM `events_computed` AS `a`
    INNER JOIN `events_computed` AS `b`
    ON `a`.`window_start` = `b`.`window_start` AND `a`.`window_end` = `b`.`window_end` AND `a`.`v` < `b`.`v`
)

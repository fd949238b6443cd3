WITH `events_joined` AS (
    SELECT
        `events`.`e`,
        `events`.`k`,
        `events`.`v`,
        `events`.`ts`,
        `events`.`instant`,
        `events`.`day`,
        `lateral`.`window`.`start` AS `window_start`,
        `lateral`.`window`.`end` AS `window_end`,
        `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
    FROM `spark_catalog`.`programs`.`events`
    INNER JOIN LATERAL EXPLODE(TRANSFORM(
        SEQUENCE(
            TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`),
            TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`),
            INTERVAL '10' MINUTE
        ),
        `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
    )) AS `lateral`(`window`)
)
SELECT `a`.`v`, `b`.`v` AS `w`, `a`.`window_start`
FROM `events_joined` AS `a`
INNER JOIN `events_joined` AS `b`
ON `a`.`window_start` = `b`.`window_start`
    AND `a`.`window_end` = `b`.`window_end`
    AND `a`.`v` < `b`.`v`

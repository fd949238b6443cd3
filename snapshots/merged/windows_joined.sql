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
SELECT `events_joined`.`v`, `events_joined_2`.`v` AS `w`, `events_joined`.`window_start`
FROM `events_joined`
INNER JOIN `events_joined` AS `events_joined_2`
ON `events_joined`.`window_start` = `events_joined_2`.`window_start`
    AND `events_joined`.`window_end` = `events_joined_2`.`window_end`
    AND `events_joined`.`v` < `events_joined_2`.`v`

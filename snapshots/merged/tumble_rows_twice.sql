WITH `events_joined` AS (
    SELECT
        `events`.`v`,
        `events`.`ts`,
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
SELECT
    `events_joined`.`v`,
    `events_joined`.`window_start`,
    `events_joined`.`window_end`,
    `lateral`.`window`.`start` AS `window_start0`,
    `lateral`.`window`.`end` AS `window_end0`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time0`
FROM `events_joined`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '1' HOUR, `events_joined`.`window_time`),
        TIME_BUCKET(INTERVAL '1' HOUR, `events_joined`.`window_time`),
        INTERVAL '1' HOUR
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' HOUR)
)) AS `lateral`(`window`)
WHERE `events_joined`.`v` > 4

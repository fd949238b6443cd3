SELECT
    `events`.`v`,
    `lateral`.`window`.`start` AS `window_start`,
    `lateral`.`window`.`end` AS `window_end`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            TIME_BUCKET(
                INTERVAL '4' MINUTE,
                `events`.`ts`,
                TIMESTAMP_NTZ '1970-01-01 00:01:00'
            ) - INTERVAL '8' MINUTE,
            TIME_BUCKET(INTERVAL '4' MINUTE, `events`.`ts`, TIMESTAMP_NTZ '1970-01-01 00:01:00'),
            INTERVAL '4' MINUTE
        ),
        `start` -> `start` + INTERVAL '10' MINUTE > `events`.`ts`
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
)) AS `lateral`(`window`)
WHERE `events`.`v` = 1 OR `events`.`v` = 3

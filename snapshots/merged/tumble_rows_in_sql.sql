SELECT
    `events`.`v`,
    `lateral`.`window`.`start` AS `window_start`,
    `lateral`.`window`.`end` AS `window_end`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '1' HOUR, `events`.`ts`, TIMESTAMP_NTZ '1970-01-01 00:02:00'),
        TIME_BUCKET(INTERVAL '1' HOUR, `events`.`ts`, TIMESTAMP_NTZ '1970-01-01 00:02:00'),
        INTERVAL '1' HOUR
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' HOUR)
)) AS `lateral`(`window`)
WHERE `events`.`v` < 7

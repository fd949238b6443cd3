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

SELECT
    `events`.`v`,
    `lateral`.`window`.`start` AS `window_start`,
    `lateral`.`window`.`end` AS `window_end`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '5' MINUTE, `events`.`ts`) - INTERVAL '5' MINUTE,
        TIME_BUCKET(INTERVAL '5' MINUTE, `events`.`ts`),
        INTERVAL '5' MINUTE
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
)) AS `lateral`(`window`)
WHERE `events`.`v` IN (2, 3, 4)

SELECT
    `events`.`v`,
    `lateral`.`window`.`start` AS `window_start`,
    `lateral`.`window`.`end` AS `window_end`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`) + INTERVAL '5' MINUTE,
            TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`) + INTERVAL '10' MINUTE,
            INTERVAL '5' MINUTE
        ),
        `end` -> `end` > `events`.`ts`
    ),
    `end` -> NAMED_STRUCT('start', TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`), 'end', `end`)
)) AS `lateral`(`window`)
WHERE `events`.`v` IN (2, 3)

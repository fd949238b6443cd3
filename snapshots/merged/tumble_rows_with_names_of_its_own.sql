SELECT
    `events`.`v` AS `window_start`,
    `events`.`e` AS `Window_End`,
    `events`.`k` AS `window`,
    `events`.`ts` AS `a``b`,
    `lateral`.`window_0`.`start` AS `window_start0`,
    `lateral`.`window_0`.`end` AS `window_end0`,
    `lateral`.`window_0`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '1' DAY, `events`.`ts`),
        TIME_BUCKET(INTERVAL '1' DAY, `events`.`ts`),
        INTERVAL '1' DAY
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' DAY)
)) AS `lateral`(`window_0`)

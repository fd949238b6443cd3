SELECT `lateral`.`window`.`end` AS `window_end`, SUM(`events`.`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '30' MINUTE, `events`.`ts`),
        TIME_BUCKET(INTERVAL '30' MINUTE, `events`.`ts`),
        INTERVAL '30' MINUTE
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '30' MINUTE)
)) AS `lateral`(`window`)
GROUP BY `lateral`.`window`.`end`

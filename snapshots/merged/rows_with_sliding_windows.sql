SELECT `events`.`v`, `lateral`.`w`.`start` AS `ws`, `lateral`.`w`.`end` AS `we`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '30' MINUTE, `events`.`ts`) - INTERVAL '30' MINUTE,
        TIME_BUCKET(INTERVAL '30' MINUTE, `events`.`ts`),
        INTERVAL '30' MINUTE
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' HOUR)
)) AS `lateral`(`w`)
WHERE `events`.`v` > 5

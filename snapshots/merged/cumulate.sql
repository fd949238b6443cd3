SELECT `lateral`.`w`.`start` AS `ws`, `lateral`.`w`.`end` AS `we`, SUM(`events`.`v`) AS `s`
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
)) AS `lateral`(`w`)
GROUP BY `lateral`.`w`

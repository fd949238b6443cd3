SELECT
    `lateral`.`end_0`.`end` AS `until`,
    MAX(`events`.`k`) AS `greatest`,
    SUM(`events`.`v`) AS `s`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            TIME_BUCKET(INTERVAL '1' HOUR, `events`.`ts` - INTERVAL '1' HOUR) + INTERVAL '30' MINUTE,
            TIME_BUCKET(INTERVAL '1' HOUR, `events`.`ts` - INTERVAL '1' HOUR) + INTERVAL '1' HOUR,
            INTERVAL '30' MINUTE
        ),
        `end` -> `end` > `events`.`ts` - INTERVAL '1' HOUR
    ),
    `end` -> NAMED_STRUCT(
        'start',
        TIME_BUCKET(INTERVAL '1' HOUR, `events`.`ts` - INTERVAL '1' HOUR),
        'end',
        `end`
    )
)) AS `lateral`(`end_0`)
GROUP BY `lateral`.`end_0`

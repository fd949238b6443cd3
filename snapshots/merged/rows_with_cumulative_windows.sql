SELECT `events`.`v`, `lateral`.`w`.`start` AS `ws`, `lateral`.`w`.`end` AS `we`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            TIME_BUCKET(
                INTERVAL '1' HOUR,
                `events`.`ts`,
                TIMESTAMP_NTZ '1970-01-01 00:15:00'
            ) + INTERVAL '30' MINUTE,
            TIME_BUCKET(
                INTERVAL '1' HOUR,
                `events`.`ts`,
                TIMESTAMP_NTZ '1970-01-01 00:15:00'
            ) + INTERVAL '1' HOUR,
            INTERVAL '30' MINUTE
        ),
        `end` -> `end` > `events`.`ts`
    ),
    `end` -> NAMED_STRUCT(
        'start',
        TIME_BUCKET(INTERVAL '1' HOUR, `events`.`ts`, TIMESTAMP_NTZ '1970-01-01 00:15:00'),
        'end',
        `end`
    )
)) AS `lateral`(`w`)
WHERE `events`.`v` > 4

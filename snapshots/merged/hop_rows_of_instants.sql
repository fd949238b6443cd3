SELECT `lateral`.`window`.`start` AS `window_start`, `lateral`.`window`.`end` AS `window_end`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            UNIX_MICROS(`events`.`instant`) - PMOD(
                UNIX_MICROS(`events`.`instant`) - 3600000000L,
                28800000000L
            ) - 57600000000L,
            UNIX_MICROS(`events`.`instant`) - PMOD(
                UNIX_MICROS(`events`.`instant`) - 3600000000L,
                28800000000L
            ),
            28800000000L
        ),
        `start` -> `start` + 72000000000L > UNIX_MICROS(`events`.`instant`)
    ),
    `start` -> NAMED_STRUCT(
        'start',
        TIMESTAMP_MICROS(`start`),
        'end',
        TIMESTAMP_MICROS(`start` + 72000000000L)
    )
)) AS `lateral`(`window`)
WHERE `events`.`v` = 4

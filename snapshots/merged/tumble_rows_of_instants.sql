SELECT
    `events`.`v`,
    `lateral`.`window`.`start` AS `window_start`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        UNIX_MICROS(`events`.`instant`) - PMOD(UNIX_MICROS(`events`.`instant`) - -21600000000L, 86400000000L),
        UNIX_MICROS(`events`.`instant`) - PMOD(UNIX_MICROS(`events`.`instant`) - -21600000000L, 86400000000L),
        86400000000L
    ),
    `start` -> NAMED_STRUCT(
        'start',
        TIMESTAMP_MICROS(`start`),
        'end',
        TIMESTAMP_MICROS(`start` + 86400000000L)
    )
)) AS `lateral`(`window`)

SELECT `lateral`.`w`.`start` AS `ws`, `lateral`.`w`.`end` AS `we`, COUNT(1) AS `n`
FROM `spark_catalog`.`programs`.`events`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            UNIX_MICROS(`events`.`instant`) - PMOD(
                UNIX_MICROS(`events`.`instant`),
                86400000000L
            ) + 43200000000L,
            UNIX_MICROS(`events`.`instant`) - PMOD(
                UNIX_MICROS(`events`.`instant`),
                86400000000L
            ) + 86400000000L,
            43200000000L
        ),
        `end` -> `end` > UNIX_MICROS(`events`.`instant`)
    ),
    `end` -> NAMED_STRUCT(
        'start',
        TIMESTAMP_MICROS(UNIX_MICROS(`events`.`instant`) - PMOD(UNIX_MICROS(`events`.`instant`), 86400000000L)),
        'end',
        TIMESTAMP_MICROS(`end`)
    )
)) AS `lateral`(`w`)
GROUP BY `lateral`.`w`

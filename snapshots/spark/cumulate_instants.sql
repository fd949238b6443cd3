SELECT `w`.`start` AS `ws`, `w`.`end` AS `we`, `EXPR$0` AS `n`
FROM (
    SELECT `w`, COUNT(1) AS `EXPR$0`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            FILTER(
                SEQUENCE(
                    UNIX_MICROS(`instant`) - PMOD(UNIX_MICROS(`instant`), 86400000000L) + 43200000000L,
                    UNIX_MICROS(`instant`) - PMOD(UNIX_MICROS(`instant`), 86400000000L) + 86400000000L,
                    43200000000L
                ),
                `end` -> `end` > UNIX_MICROS(`instant`)
            ),
            `end` -> NAMED_STRUCT(
                'start',
                TIMESTAMP_MICROS(UNIX_MICROS(`instant`) - PMOD(UNIX_MICROS(`instant`), 86400000000L)),
                'end',
                TIMESTAMP_MICROS(`end`)
            )
        )) AS `lateral`(`w`)
    )
    GROUP BY `w`
)

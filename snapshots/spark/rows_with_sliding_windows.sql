SELECT `v`, `w`.`start` AS `ws`, `w`.`end` AS `we`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, `w`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            SEQUENCE(
                TIME_BUCKET(INTERVAL '30' MINUTE, `ts`) - INTERVAL '30' MINUTE,
                TIME_BUCKET(INTERVAL '30' MINUTE, `ts`),
                INTERVAL '30' MINUTE
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' HOUR)
        )) AS `lateral`(`w`)
    )
    WHERE `v` > 5
)

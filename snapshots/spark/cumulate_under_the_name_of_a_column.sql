SELECT `end`.`end` AS `until`, `EXPR$0` AS `greatest`, `EXPR$1` AS `s`
FROM (
    SELECT `end_0` AS `end`, MAX(`end`) AS `EXPR$0`, SUM(`window_start`) AS `EXPR$1`
    FROM (
        SELECT `end`, `window_start`, `window_key_0`, `end_0`
        FROM (
            SELECT `k` AS `end`, `v` AS `window_start`, `ts` AS `window_key_0`
            FROM (
                SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                FROM `spark_catalog`.`programs`.`events`
            )
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            FILTER(
                SEQUENCE(
                    TIME_BUCKET(INTERVAL '1' HOUR, `window_key_0` - INTERVAL '1' HOUR) + INTERVAL '30' MINUTE,
                    TIME_BUCKET(INTERVAL '1' HOUR, `window_key_0` - INTERVAL '1' HOUR) + INTERVAL '1' HOUR,
                    INTERVAL '30' MINUTE
                ),
                `end` -> `end` > `window_key_0` - INTERVAL '1' HOUR
            ),
            `end` -> NAMED_STRUCT(
                'start',
                TIME_BUCKET(INTERVAL '1' HOUR, `window_key_0` - INTERVAL '1' HOUR),
                'end',
                `end`
            )
        )) AS `lateral`(`end_0`)
    )
    GROUP BY `end_0`
)

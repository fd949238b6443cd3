SELECT `v`, `window_start`, `window_end`, `window_start0`, `window_end0`, `window_time0`
FROM (
    SELECT
        `v`,
        `ts`,
        `window_start`,
        `window_end`,
        `window_time`,
        `window_start0`,
        `window_end0`,
        `window_time0`
    FROM (
        SELECT
            `v`,
            `ts`,
            `window_start`,
            `window_end`,
            `window_time`,
            `window`.`start` AS `window_start0`,
            `window`.`end` AS `window_end0`,
            `window`.`end` - INTERVAL '0.001' SECOND AS `window_time0`
        FROM (
            SELECT `v`, `ts`, `window_start`, `window_end`, `window_time`, `window`
            FROM (
                SELECT
                    `v`,
                    `ts`,
                    `window`.`start` AS `window_start`,
                    `window`.`end` AS `window_end`,
                    `window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
                FROM (
                    SELECT `v`, `ts`, `window`
                    FROM (
                        SELECT `v`, `ts`
                        FROM (
                            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
                            FROM `spark_catalog`.`programs`.`events`
                        )
                    )
                    INNER JOIN LATERAL EXPLODE(TRANSFORM(
                        SEQUENCE(
                            TIME_BUCKET(INTERVAL '10' MINUTE, `ts`),
                            TIME_BUCKET(INTERVAL '10' MINUTE, `ts`),
                            INTERVAL '10' MINUTE
                        ),
                        `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
                    )) AS `lateral`(`window`)
                )
            )
            INNER JOIN LATERAL EXPLODE(TRANSFORM(
                SEQUENCE(
                    TIME_BUCKET(INTERVAL '1' HOUR, `window_time`),
                    TIME_BUCKET(INTERVAL '1' HOUR, `window_time`),
                    INTERVAL '1' HOUR
                ),
                `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '1' HOUR)
            )) AS `lateral`(`window`)
        )
    )
    WHERE `v` > 4
)

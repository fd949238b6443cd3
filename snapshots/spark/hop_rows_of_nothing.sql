SELECT `a`, `window_end`
FROM (
    SELECT
        `a`,
        `b`,
        `ts`,
        `window`.`start` AS `window_start`,
        `window`.`end` AS `window_end`,
        `window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
    FROM (
        SELECT `a`, `b`, `ts`, `window`
        FROM (
            SELECT `a`, `b`, CAST(`b` AS TIMESTAMP_NTZ) AS `ts`
            FROM (
                SELECT `a`, `b`
                FROM `spark_catalog`.`programs`.`nothing`
            )
        )
        INNER JOIN LATERAL EXPLODE(TRANSFORM(
            SEQUENCE(
                TIME_BUCKET(INTERVAL '1' HOUR, `ts`) - INTERVAL '1' HOUR,
                TIME_BUCKET(INTERVAL '1' HOUR, `ts`),
                INTERVAL '1' HOUR
            ),
            `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '2' HOUR)
        )) AS `lateral`(`window`)
    )
)

SELECT `w`, SUM(`a`) AS `s`
FROM (
    SELECT `a`, `b`, `ts`, `w`
    FROM (
        SELECT `a`, `b`, CAST(`b` AS TIMESTAMP_NTZ) AS `ts`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
    INNER JOIN LATERAL EXPLODE(TRANSFORM(
        FILTER(
            SEQUENCE(
                TIME_BUCKET(INTERVAL '10' MINUTE, `ts`) + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '10' MINUTE, `ts`) + INTERVAL '10' MINUTE,
                INTERVAL '5' MINUTE
            ),
            `end` -> `end` > `ts`
        ),
        `end` -> NAMED_STRUCT('start', TIME_BUCKET(INTERVAL '10' MINUTE, `ts`), 'end', `end`)
    )) AS `lateral`(`w`)
)
GROUP BY `w`

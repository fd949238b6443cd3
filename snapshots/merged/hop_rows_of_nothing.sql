WITH `nothing_computed` AS (
    SELECT `a`, `b`, CAST(`b` AS TIMESTAMP_NTZ) AS `ts`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT `nothing_computed`.`a`, `lateral`.`window`.`end` AS `window_end`
FROM `nothing_computed`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '1' HOUR, `nothing_computed`.`ts`) - INTERVAL '1' HOUR,
        TIME_BUCKET(INTERVAL '1' HOUR, `nothing_computed`.`ts`),
        INTERVAL '1' HOUR
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '2' HOUR)
)) AS `lateral`(`window`)

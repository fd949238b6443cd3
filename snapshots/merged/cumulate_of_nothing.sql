WITH `nothing_computed` AS (
    SELECT `a`, `b`, CAST(`b` AS TIMESTAMP_NTZ) AS `ts`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT `lateral`.`w`, SUM(`nothing_computed`.`a`) AS `s`
FROM `nothing_computed`
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    FILTER(
        SEQUENCE(
            TIME_BUCKET(INTERVAL '10' MINUTE, `nothing_computed`.`ts`) + INTERVAL '5' MINUTE,
            TIME_BUCKET(INTERVAL '10' MINUTE, `nothing_computed`.`ts`) + INTERVAL '10' MINUTE,
            INTERVAL '5' MINUTE
        ),
        `end` -> `end` > `nothing_computed`.`ts`
    ),
    `end` -> NAMED_STRUCT('start', TIME_BUCKET(INTERVAL '10' MINUTE, `nothing_computed`.`ts`), 'end', `end`)
)) AS `lateral`(`w`)
GROUP BY `lateral`.`w`

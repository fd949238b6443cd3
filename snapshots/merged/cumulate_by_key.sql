WITH `events_grouped` AS (
    SELECT `events`.`k`, `lateral`.`w`.`end` - INTERVAL '0.001' SECOND AS `last`, COUNT(1) AS `n`
    FROM `spark_catalog`.`programs`.`events`
    INNER JOIN LATERAL EXPLODE(TRANSFORM(
        FILTER(
            SEQUENCE(
                TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`) + INTERVAL '5' MINUTE,
                TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`) + INTERVAL '10' MINUTE,
                INTERVAL '5' MINUTE
            ),
            `end` -> `end` > `events`.`ts`
        ),
        `end` -> NAMED_STRUCT('start', TIME_BUCKET(INTERVAL '10' MINUTE, `events`.`ts`), 'end', `end`)
    )) AS `lateral`(`w`)
    WHERE `events`.`ts` < TIMESTAMP_NTZ '2024-01-01 10:10:00'
    GROUP BY `events`.`k`, `lateral`.`w`
)
SELECT *
FROM `events_grouped`
WHERE `n` > 1

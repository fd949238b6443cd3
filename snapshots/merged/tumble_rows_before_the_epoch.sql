SELECT
    `values`.`v`,
    `values`.`ts`,
    `lateral`.`window`.`start` AS `window_start`,
    `lateral`.`window`.`end` AS `window_end`,
    `lateral`.`window`.`end` - INTERVAL '0.001' SECOND AS `window_time`
FROM VALUES
    (1, TIMESTAMP_NTZ '1969-12-31 23:59:59.999999'),
    (2, TIMESTAMP_NTZ '1969-12-31 23:50:00'),
    (3, NULL)
AS `values`(`v`, `ts`)
INNER JOIN LATERAL EXPLODE(TRANSFORM(
    SEQUENCE(
        TIME_BUCKET(INTERVAL '10' MINUTE, `values`.`ts`),
        TIME_BUCKET(INTERVAL '10' MINUTE, `values`.`ts`),
        INTERVAL '10' MINUTE
    ),
    `start` -> NAMED_STRUCT('start', `start`, 'end', `start` + INTERVAL '10' MINUTE)
)) AS `lateral`(`window`)

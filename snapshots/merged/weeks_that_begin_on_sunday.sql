SELECT
    DATE_SUB(TRUNC(DATE_ADD(`day`, 1), 'WEEK'), 1) AS `first`,
    DATE_ADD(TRUNC(`day`, 'WEEK'), 6) AS `next`,
    TIME_BUCKET(INTERVAL '7' DAY, `at`, TIMESTAMP_NTZ '1970-01-04 00:00:00') AS `begins`,
    TIME_BUCKET(
        INTERVAL '7' DAY,
        `at` - INTERVAL '0.000001' SECOND,
        TIMESTAMP_NTZ '1970-01-04 00:00:00'
    ) + INTERVAL '7' DAY AS `ends`
FROM `spark_catalog`.`programs`.`readings`

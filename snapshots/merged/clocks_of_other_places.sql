SELECT
    CAST(CONVERT_TIMEZONE(
        'UTC',
        'Asia/Tokyo',
        TRY_CAST(SUBSTRING(DATE_FORMAT(`at`, 'yyyy-MM-dd HH:mm:ss') FROM 1 FOR 19) AS TIMESTAMP_NTZ)
    ) AS STRING) AS `tokyo`
FROM `spark_catalog`.`programs`.`readings`

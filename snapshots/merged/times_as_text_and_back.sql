SELECT
    DATE_FORMAT(`at`, 'dd.MM.yyyy') AS `shown`,
    TO_DATE(DATE_FORMAT(`at`, 'dd.MM.yyyy'), 'dd.MM.yyyy') AS `day`,
    TO_TIMESTAMP_NTZ(DATE_FORMAT(`at`, 'yyyy-MM-dd HH:mm:ss')) AS `at`,
    FROM_UNIXTIME(`n`) AS `epoch`
FROM `spark_catalog`.`programs`.`readings`

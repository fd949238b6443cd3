SELECT
    TIMESTAMP_MILLIS(`n`) AS `millis`,
    TIMESTAMP_SECONDS(`n`) AS `seconds`,
    TIMESTAMP_MICROS(-1) AS `micros`
FROM `spark_catalog`.`programs`.`readings`

SELECT
    EXTRACT(YEAR FROM `at`) AS `year`,
    EXTRACT(QUARTER FROM `at`) AS `quarter`,
    EXTRACT(MONTH FROM `at`) AS `month`,
    EXTRACT(WEEK FROM `at`) AS `week`,
    EXTRACT(DAY FROM `at`) AS `day`,
    EXTRACT(HOUR FROM `at`) AS `hour`,
    EXTRACT(MINUTE FROM `at`) AS `minute`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` = 1

SELECT
    `n`,
    EXTRACT(WEEK FROM `day`) AS `week`,
    EXTRACT(YEAROFWEEK FROM `day`) AS `year`,
    EXTRACT(DOW_ISO FROM `day`) AS `weekday`,
    EXTRACT(DOY FROM `day`) AS `day`
FROM `spark_catalog`.`programs`.`readings`

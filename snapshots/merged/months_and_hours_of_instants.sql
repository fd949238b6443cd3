SELECT
    DATE_TRUNC('MONTH', `instant`) AS `month`,
    DATE_TRUNC('HOUR', `instant` - INTERVAL '0.000001' SECOND) + INTERVAL '1' HOUR AS `hour`,
    DATE_TRUNC('WEEK', `instant` + INTERVAL '1' DAY) - INTERVAL '1' DAY AS `week`
FROM `spark_catalog`.`programs`.`readings`

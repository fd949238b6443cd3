SELECT
    TIMESTAMPDIFF(DAY, `day`, DATE '2000-01-01') AS `days`,
    TIMESTAMPADD(MONTH, `n`, `at`) AS `months`,
    TIMESTAMPADD(HOUR, -1, `at`) AS `hour`
FROM `spark_catalog`.`programs`.`readings`

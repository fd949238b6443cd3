SELECT
    CAST(TIMESTAMPDIFF(DAY, `day`, DATE '2000-01-01') AS BIGINT) AS `days`,
    TIMESTAMPADD(MONTH, `n`, `at`) AS `months`,
    TIMESTAMPADD(HOUR, -1, `at`) AS `hour`
FROM (
    SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
    FROM `spark_catalog`.`programs`.`readings`
)

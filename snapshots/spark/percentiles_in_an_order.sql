SELECT
    PERCENTILE_CONT(0.5D) WITHIN GROUP (ORDER BY `v`) AS `middle`,
    PERCENTILE_CONT(0.25D) WITHIN GROUP (ORDER BY `v` DESC) AS `upper`,
    PERCENTILE_DISC(0.5D) WITHIN GROUP (ORDER BY `v`) AS `one`,
    PERCENTILE_CONT(ARRAY(0.0D, 1.0D)) WITHIN GROUP (ORDER BY `v`) AS `ends`,
    MEDIAN(`v`) AS `median`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM `spark_catalog`.`programs`.`events`
)

WITH `nothing_computed` AS (
    SELECT
        RAND() AS `r`,
        CAST(FLOOR(RAND() * 6) AS INT) AS `die`,
        UUID() AS `id`,
        MONOTONICALLY_INCREASING_ID() AS `n`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT *
FROM `nothing_computed`
WHERE `r` < 1
    AND `die` < 6

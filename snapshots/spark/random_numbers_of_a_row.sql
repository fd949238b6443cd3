SELECT `r`, `die`, `id`, `n`
FROM (
    SELECT
        RAND() AS `r`,
        CAST(FLOOR(RAND() * 6) AS INT) AS `die`,
        UUID() AS `id`,
        MONOTONICALLY_INCREASING_ID() AS `n`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
WHERE `r` < 1 AND `die` < 6

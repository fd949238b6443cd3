SELECT
    `x`,
    LN(NULLIF(GREATEST(CAST(`x` - 2 AS DOUBLE), 0.0E0), 0.0E0)) AS `ln`,
    LOG(CAST(2 AS DOUBLE), NULLIF(GREATEST(CAST(`x` - 1 AS DOUBLE), 0.0E0), 0.0E0)) AS `log2`,
    ROUND(LOG(NULLIF(GREATEST(CAST(`x` AS DOUBLE), 0.0E0), 0.0E0), CAST(8 AS DOUBLE)), 2) AS `of_8`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` IS NOT NULL
)

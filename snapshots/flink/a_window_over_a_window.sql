SELECT `x`, SUM(CAST(`n` AS BIGINT)) OVER (PARTITION BY `x`) AS `s`
FROM (
    SELECT `x`, CAST(ROW_NUMBER() OVER (ORDER BY `x`, `y`) AS INT) AS `n`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)

SELECT DISTINCT `x`, `y`
FROM (
    SELECT /*+ REPARTITION_BY_RANGE(`x`) */ `x`, `y`
    FROM (
        SELECT /*+ REBALANCE */ `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
)

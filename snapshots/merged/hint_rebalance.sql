WITH `left_bag_hint` AS (
    SELECT /*+ REBALANCE */ `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
),
`left_bag_hint_2` AS (
    SELECT /*+ REPARTITION_BY_RANGE(`x`) */ `x`, `y`
    FROM `left_bag_hint`
)
SELECT DISTINCT *
FROM `left_bag_hint_2`

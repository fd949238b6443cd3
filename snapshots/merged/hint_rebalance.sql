WITH `left_bag_hinted` AS (
    SELECT /*+ REBALANCE */ `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
),
`left_bag_hinted_2` AS (
    SELECT /*+ REPARTITION_BY_RANGE(`x`) */ `x`, `y`
    FROM `left_bag_hinted`
)
SELECT DISTINCT *
FROM `left_bag_hinted_2`

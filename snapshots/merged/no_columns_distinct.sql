WITH `left_bag_rows` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM `spark_catalog`.`programs`.`left_bag`
        WHERE TRUE
    )
),
`left_bag_rows_2` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM `spark_catalog`.`programs`.`left_bag`
        WHERE `x` = 1
    )
),
`left_bag_intersection` AS (
    SELECT *
    FROM `left_bag_rows`
    INTERSECT ALL
    SELECT *
    FROM `left_bag_rows_2`
)
SELECT DISTINCT *
FROM `left_bag_rows`
UNION ALL
SELECT *
FROM `left_bag_intersection`

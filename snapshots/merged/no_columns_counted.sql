WITH `left_bag_rows` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM `spark_catalog`.`programs`.`left_bag`
        WHERE TRUE
    )
)
SELECT COUNT(1) AS `n`
FROM `left_bag_rows`

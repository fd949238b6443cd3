WITH `left_bag_rows` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM `spark_catalog`.`programs`.`left_bag`
        WHERE `x` = 1
    )
)
SELECT 7 AS `n`
FROM `left_bag_rows`
WHERE 1 < 2
ORDER BY `n`

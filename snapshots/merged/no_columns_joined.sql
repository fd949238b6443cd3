WITH `left_bag_rows` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM `spark_catalog`.`programs`.`left_bag`
        WHERE `x` = 1
    )
)
SELECT `right_bag`.`x`, `right_bag`.`y`
FROM `left_bag_rows`
INNER JOIN `spark_catalog`.`programs`.`right_bag`
INNER JOIN `left_bag_rows` AS `left_bag_rows_2`
WHERE `right_bag`.`x` = 1

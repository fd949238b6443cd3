WITH `right_bag_grouped` AS (
    SELECT MAX(`x`) AS `m`
    FROM `spark_catalog`.`programs`.`right_bag`
)
SELECT
    (
        SELECT `m` + `left_bag`.`x`
        FROM `right_bag_grouped`
    ) AS `over`,
    (
        SELECT SUM(`p`)
        FROM (
            SELECT `x` * `left_bag`.`x` AS `p`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
    ) AS `below`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2

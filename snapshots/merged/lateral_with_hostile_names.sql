WITH `left_bag_computed` AS (
    SELECT NAMED_STRUCT('x', ARRAY(`x`), 'n', 9) AS `lateral`, ARRAY(7, 8) AS `LATERAL_`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 2
)
SELECT `lateral`.`x y`, `lateral_2`.`n`
FROM `left_bag_computed`
INNER JOIN LATERAL EXPLODE(`left_bag_computed`.`lateral`.`x`) AS `lateral`(`x y`)
INNER JOIN LATERAL EXPLODE(`left_bag_computed`.`LATERAL_`) AS `lateral_2`(`n`)
WHERE `left_bag_computed`.`lateral`.`n` > `lateral`.`x y`

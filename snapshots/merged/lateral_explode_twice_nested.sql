WITH `left_bag_computed` AS (
    SELECT ARRAY(ARRAY(1, 2), ARRAY(`x`)) AS `a`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 3
)
SELECT `lateral_2`.`n`
FROM `left_bag_computed`
INNER JOIN LATERAL EXPLODE(`left_bag_computed`.`a`) AS `lateral`(`inner`)
INNER JOIN LATERAL EXPLODE(`lateral`.`inner`) AS `lateral_2`(`n`)

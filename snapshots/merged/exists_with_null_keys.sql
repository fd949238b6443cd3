SELECT
    `x`,
    EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`right_bag`
        WHERE `x` = `left_bag`.`x`
    ) AS `equal`,
    EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`right_bag`
        WHERE `x` IS NOT DISTINCT FROM `left_bag`.`x`
    ) AS `same`
FROM `spark_catalog`.`programs`.`left_bag`

SELECT
    `x`,
    EXISTS (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = `outer`.`x`
    ) AS `equal`,
    EXISTS (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` IS NOT DISTINCT FROM `outer`.`x`
    ) AS `same`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
) AS `outer`

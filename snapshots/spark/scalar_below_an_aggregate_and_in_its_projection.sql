SELECT
    (
        SELECT `m` + `outer`.`x` AS `_c0`
        FROM (
            SELECT MAX(`x`) AS `m`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
    ) AS `over`,
    (
        SELECT SUM(`p`) AS `EXPR$0`
        FROM (
            SELECT `x` * `outer`.`x` AS `p`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
    ) AS `below`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 2
) AS `outer`

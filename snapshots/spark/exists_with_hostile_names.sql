SELECT `k`, `outer`
FROM (
    SELECT `outer`, `OUTER_`, `k`
    FROM (
        SELECT `x` AS `outer`, NAMED_STRUCT('k', `x`) AS `OUTER_`, `y` AS `k`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    ) AS `outer___`
    WHERE EXISTS (
        SELECT `outer__`, `EXPR$0`, `outer`
        FROM (
            SELECT NAMED_STRUCT('k', `x`) AS `outer__`, `y` AS `EXPR$0`, `x` AS `outer`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
        WHERE `EXPR$0` = `outer___`.`k` AND `outer` = `outer___`.`OUTER_`.`k`
    )
)

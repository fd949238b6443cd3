SELECT `x`, COUNT(`ry`) AS `n`
FROM (
    SELECT `x`, `y`, `rx`, `ry`
    FROM (
        SELECT `x`, `y`, `rx`, `ry`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
        INNER ASOF JOIN (
            SELECT `x` AS `rx`, `y` AS `ry`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
        MATCH_CONDITION (`rx` <= `x` + 1)
    )
    WHERE `rx` < 3
)
GROUP BY `x`

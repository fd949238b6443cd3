SELECT `x`, `sy`
FROM (
    SELECT `x`, `y`, `rx`, `ry`, `sx`, `sy`
    FROM (
        SELECT `x`, `y`, `rx`, `ry`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
            WHERE `x` > 1
        )
        LEFT OUTER ASOF JOIN (
            SELECT `rx`, `ry`
            FROM (
                SELECT `x` AS `rx`, `y` AS `ry`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`right_bag`
                )
            )
            WHERE `rx` < 3
        )
        MATCH_CONDITION (`x` >= `rx`)
    )
    INNER JOIN (
        SELECT `x` AS `sx`, `y` AS `sy`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
    )
    ON `sx` = `rx`
)

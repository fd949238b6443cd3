SELECT `a`, `b`, `c`, `d`, `a2`, `b2`, `c2`, `d2`
FROM (
    SELECT `a`, `b`, `c`, `d`
    FROM (
        SELECT `a`, `b`, `c`, `d`
        FROM (
            SELECT `x` AS `a`, `y` AS `b`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
        )
        INNER JOIN (
            SELECT `x` AS `c`, `y` AS `d`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`right_bag`
            )
        )
        ON `a` = `c`
    ) AS `outer`
    WHERE EXISTS (
        SELECT `e`, `f`, `g`, `h`
        FROM (
            SELECT `e`, `f`, `g`, `h`
            FROM (
                SELECT `x` AS `e`, `y` AS `f`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
            )
            INNER JOIN (
                SELECT `x` AS `g`, `y` AS `h`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`right_bag`
                )
            )
            ON `e` = `g`
        )
        WHERE `e` = `outer`.`a` AND `f` IS NOT NULL
    )
)
LEFT OUTER JOIN (
    SELECT `a` AS `a2`, `b` AS `b2`, `c` AS `c2`, `d` AS `d2`
    FROM (
        SELECT `a`, `b`, `c`, `d`
        FROM (
            SELECT `a`, `b`, `c`, `d`
            FROM (
                SELECT `x` AS `a`, `y` AS `b`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
            )
            INNER JOIN (
                SELECT `x` AS `c`, `y` AS `d`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`right_bag`
                )
            )
            ON `a` = `c`
        ) AS `outer`
        WHERE EXISTS (
            SELECT `e`, `f`, `g`, `h`
            FROM (
                SELECT `e`, `f`, `g`, `h`
                FROM (
                    SELECT `x` AS `e`, `y` AS `f`
                    FROM (
                        SELECT `x`, `y`
                        FROM `spark_catalog`.`programs`.`left_bag`
                    )
                )
                INNER JOIN (
                    SELECT `x` AS `g`, `y` AS `h`
                    FROM (
                        SELECT `x`, `y`
                        FROM `spark_catalog`.`programs`.`right_bag`
                    )
                )
                ON `e` = `g`
            )
            WHERE `e` = `outer`.`a` AND `f` IS NOT NULL
        )
    )
)
ON `a` = `a2`

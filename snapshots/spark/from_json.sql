SELECT `r`.`x` AS `r$x`, `r`.`y` AS `text`, `r`.`z` AS `r$z`
FROM (
    SELECT FROM_JSON(`j`, 'x INT, y STRING NOT NULL, z ARRAY<INT>') AS `r`
    FROM (
        SELECT TO_JSON(NAMED_STRUCT('x', `x`, 'y', `y`), MAP('ignoreNullFields', 'false')) AS `j`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
            WHERE `x` >= 2
        )
    )
)

SELECT
    CONCAT(`y`, `y`) AS `_c0`,
    CAST(ROW(1, 2) AS ROW<`f0` INT NOT NULL, `f1` INT NOT NULL>) AS `r`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 2
)

SELECT `x`, `y`, `a`, `b`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 2
)
CROSS JOIN UNNEST(ARRAY[
    CAST(CAST(ROW(`x`, 'p') AS ROW<`a` INT, `b` STRING NOT NULL>) AS ROW<`a` INT, `b` STRING>),
    CAST(CAST(ROW(5, `y`) AS ROW<`a` INT NOT NULL, `b` STRING>) AS ROW<`a` INT, `b` STRING>)
]) AS `lateral`(`a`, `b`)

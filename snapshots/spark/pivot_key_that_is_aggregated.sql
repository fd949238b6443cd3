SELECT `x`, `yes`, `no`
FROM (
    SELECT `x`, `x` = 1 AS `_c1`, `x` AS `_c2`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)
PIVOT (
    SUM(`_c2`)
    FOR `_c1` IN (TRUE AS `yes`, FALSE AS `no`)
)

SELECT `x`, `rx`
FROM (
    SELECT `x`, `y`, `rx`, `ry`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    LEFT OUTER ASOF JOIN (
        SELECT `x` AS `rx`, `y` AS `ry`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
    )
    MATCH_CONDITION (`x` < `rx`)
)

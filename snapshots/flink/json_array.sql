SELECT
    JSON_ARRAY(`x`, `y` ABSENT ON NULL) AS `left_out`,
    JSON_ARRAY(`x`, `y` NULL ON NULL) AS `kept`,
    JSON_ARRAY(`y`, `y` NULL ON NULL) AS `alike`,
    JSON_ARRAY() AS `empty`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` >= 2
)

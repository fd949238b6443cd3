SELECT
    JSON_OBJECT(KEY 'x' VALUE `x`, KEY 'y' VALUE `y` NULL ON NULL) AS `kept`,
    JSON_OBJECT(KEY 'x' VALUE `x`, KEY 'y' VALUE `y` ABSENT ON NULL) AS `left_out`,
    JSON_OBJECT(NULL ON NULL) AS `empty`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` >= 2
)

SELECT JSON_OBJECT(KEY 't' VALUE CONCAT('{"x":', CAST(`x` AS STRING), '}') NULL ON NULL) AS `j`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 2
)

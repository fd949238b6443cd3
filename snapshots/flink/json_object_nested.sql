SELECT
    JSON_OBJECT(
        KEY 'a"`b' VALUE JSON_OBJECT(KEY 'y' VALUE `y` NULL ON NULL),
        KEY 'absent' VALUE JSON_OBJECT(KEY 'x' VALUE `x`, KEY 'y' VALUE `y` ABSENT ON NULL) NULL ON NULL
    ) AS `j`,
    JSON_OBJECT(KEY 'o' VALUE JSON_OBJECT(KEY 'y' VALUE `y` NULL ON NULL), KEY 'y' VALUE `y` ABSENT ON NULL) AS `k`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 3
)

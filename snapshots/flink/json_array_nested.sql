SELECT
    JSON_ARRAY(JSON_ARRAY(`y` NULL ON NULL), JSON_OBJECT(KEY 'y' VALUE `y` NULL ON NULL) ABSENT ON NULL) AS `a`,
    JSON_OBJECT(
        KEY 'a' VALUE JSON_ARRAY(`x`, `y` ABSENT ON NULL),
        KEY 'j' VALUE PARSE_JSON(CONCAT('{"b": 1, "a": [', CAST(`x` AS STRING), ']}')) ABSENT ON NULL
    ) AS `o`,
    JSON_STRING(`y`) AS `no_text`,
    JSON_ARRAY(`x` ABSENT ON NULL) AS `array`,
    JSON_UNQUOTE(JSON_STRING('[3]')) AS `unquoted`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 3
)

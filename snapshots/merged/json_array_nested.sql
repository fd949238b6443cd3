SELECT
    TO_JSON(
        ARRAY_COMPACT(ARRAY(
            PARSE_JSON(TO_JSON(ARRAY(`y`), MAP('ignoreNullFields', 'false'))),
            PARSE_JSON(TO_JSON(NAMED_STRUCT('y', `y`), MAP('ignoreNullFields', 'false')))
        )),
        MAP('ignoreNullFields', 'false')
    ) AS `a`,
    TO_JSON(NAMED_STRUCT(
        'a',
        PARSE_JSON(TO_JSON(
            ARRAY_COMPACT(ARRAY(CAST(`x` AS VARIANT), CAST(`y` AS VARIANT))),
            MAP('ignoreNullFields', 'false')
        )),
        'j',
        PARSE_JSON(CONCAT('{"b": 1, "a": [', `x`, ']}'))
    )) AS `o`,
    TO_JSON(CAST(`y` AS VARIANT)) AS `no_text`,
    TO_JSON(ARRAY_COMPACT(ARRAY(`x`)), MAP('ignoreNullFields', 'false')) AS `array`,
    COALESCE(
        CASE
            WHEN SCHEMA_OF_VARIANT(TRY_PARSE_JSON(TO_JSON(CAST('[3]' AS VARIANT)))) = 'STRING' THEN CAST(TRY_PARSE_JSON(TO_JSON(CAST('[3]' AS VARIANT))) AS STRING)
        END,
        TO_JSON(CAST('[3]' AS VARIANT))
    ) AS `unquoted`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 3

SELECT DISTINCT `e`, `v`, `t`, `q`
FROM (
    SELECT
        COALESCE(
            CASE
                WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON('{"a": [1], "b": 2}'), '$.a')) <> 'VOID' THEN TRUE
            END,
            RAISE_ERROR('JSON_EXISTS with ERROR ON ERROR found nothing.')
        ) AS `e`,
        COALESCE(
            TRY_VARIANT_GET(TRY_PARSE_JSON('{"a": [1], "b": 2}'), '$.b', 'INT'),
            RAISE_ERROR('JSON_VALUE with ERROR ON ERROR found nothing.')
        ) AS `v`,
        COALESCE(
            CASE
                WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON('{"a": [1], "b": 2}'), '$.b')) NOT LIKE '%<%' THEN CAST(VARIANT_GET(TRY_PARSE_JSON('{"a": [1], "b": 2}'), '$.b') AS STRING)
            END,
            RAISE_ERROR('JSON_VALUE with ERROR ON ERROR found nothing.')
        ) AS `t`,
        COALESCE(
            CASE
                WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON('{"a": [1], "b": 2}'), '$.a')) LIKE '%<%' THEN TO_JSON(VARIANT_GET(TRY_PARSE_JSON('{"a": [1], "b": 2}'), '$.a'))
            END,
            RAISE_ERROR('JSON_QUERY with ERROR ON ERROR found nothing.')
        ) AS `q`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
)

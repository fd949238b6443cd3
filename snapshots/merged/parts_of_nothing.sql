SELECT DISTINCT
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON('{}'), '$.a')) NOT LIKE '%<%' THEN CAST(VARIANT_GET(TRY_PARSE_JSON('{}'), '$.a') AS STRING)
    END AS `v`,
    TO_JSON(PARSE_JSON('{}')) AS `j`
FROM `spark_catalog`.`programs`.`nothing`

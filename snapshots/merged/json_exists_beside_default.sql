SELECT DISTINCT
    `y`,
    COALESCE(
        CASE WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON('[1]'), '$[0]')) <> 'VOID' THEN TRUE END,
        FALSE
    ) AS `exists`,
    COALESCE(TRY_VARIANT_GET(TRY_PARSE_JSON('[1]'), '$[1]', 'INT'), 0) AS `v`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `y` = 'b'

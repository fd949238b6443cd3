WITH `left_bag_computed` AS (
    SELECT
        PARSE_JSON(TO_JSON(NAMED_STRUCT('x', `x`, 'a b', `y`), MAP('ignoreNullFields', 'false'))) AS `v`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 2
)
SELECT
    VARIANT_GET(`v`, '$.x', 'INT') AS `x`,
    VARIANT_GET(`v`, '$[\'a b\']', 'STRING') AS `y`,
    TRY_VARIANT_GET(`v`, '$[\'a b\']', 'INT') AS `no_number`,
    VARIANT_GET(`v`, '$.none') IS NULL AS `n`,
    TO_JSON(VARIANT_DELETE(VARIANT_SET(`v`, '$.x', 5), '$[\'a b\']')) AS `changed`,
    SCHEMA_OF_VARIANT(`v`) AS `schema`
FROM `left_bag_computed`

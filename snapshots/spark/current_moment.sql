SELECT
    CURRENT_DATE() >= DATE '2024-01-01' AS `d`,
    CURRENT_TIMESTAMP() > TIMESTAMP_LTZ '2024-01-01 00:00:00Z' AS `t`,
    LOCALTIMESTAMP() > TIMESTAMP_NTZ '2024-01-01 00:00:00' AS `l`,
    CURRENT_TIME() >= TIME '00:00:00' AS `c`,
    LOCALTIME() IS NULL AS `n`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'cap'
)

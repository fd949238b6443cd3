SELECT
    TRY_CAST(REGEXP_EXTRACT('x', '^\s*([+-]?[0-9]+)\s*$', 1) AS INT) AS `i`,
    TRY_CAST('1e3' AS DOUBLE) AS `d`,
    TRY_CAST(REGEXP_EXTRACT(
        '30.02.2024',
        '^\s*([0-9]{4}(?:-[0-9]{1,2}){0,2})(?:\s*|(?<=-[0-9]{1,2}-[0-9]{1,2})[ T].*)$',
        1
    ) AS DATE) AS `t`,
    TRY_CAST(CAST(300 AS STRING) AS TINYINT) AS `y`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pad'
)

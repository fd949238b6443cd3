SELECT
    ARRAY_SLICE(ARRAY[CAST(NULL AS INT)], 2, 1) AS `a`,
    CAST(MAP_FROM_ARRAYS(
        ARRAY_SLICE(ARRAY[CAST(NULL AS STRING)], 2, 1),
        ARRAY_SLICE(ARRAY[CAST(NULL AS STRING)], 2, 1)
    ) AS MAP<STRING, INT>) AS `m`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'cap'
)

SELECT
    `line_order`,
    `EXPR$0` AS `object`,
    `EXPR$1` AS `less`,
    `EXPR$2` AS `array`,
    `EXPR$3` AS `shorter`
FROM (
    SELECT
        `line_order`,
        `sku`,
        TO_JSON(
            MAP_FROM_ENTRIES(ARRAY_AGG(NAMED_STRUCT('key', `sku`, 'value', `quantity`))),
            MAP('ignoreNullFields', 'false')
        ) AS `EXPR$0`,
        TO_JSON(
            MAP_FROM_ENTRIES(ARRAY_AGG(CASE WHEN `quantity` IS NOT NULL THEN NAMED_STRUCT('key', `sku`, 'value', `quantity`) END)),
            MAP('ignoreNullFields', 'false')
        ) AS `EXPR$1`,
        TO_JSON(ARRAY_AGG(`quantity`) RESPECT NULLS, MAP('ignoreNullFields', 'false')) AS `EXPR$2`,
        TO_JSON(ARRAY_AGG(`quantity`), MAP('ignoreNullFields', 'false')) AS `EXPR$3`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `line_order`, `sku`
)

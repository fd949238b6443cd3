SELECT
    `line_order`,
    TO_JSON(
        MAP_FROM_ENTRIES(ARRAY_AGG(NAMED_STRUCT('key', `sku`, 'value', `quantity`))),
        MAP('ignoreNullFields', 'false')
    ) AS `object`,
    TO_JSON(
        MAP_FROM_ENTRIES(ARRAY_AGG(CASE WHEN `quantity` IS NOT NULL THEN NAMED_STRUCT('key', `sku`, 'value', `quantity`) END)),
        MAP('ignoreNullFields', 'false')
    ) AS `less`,
    TO_JSON(ARRAY_AGG(`quantity`) RESPECT NULLS, MAP('ignoreNullFields', 'false')) AS `array`,
    TO_JSON(ARRAY_AGG(`quantity`), MAP('ignoreNullFields', 'false')) AS `shorter`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `line_order`, `sku`

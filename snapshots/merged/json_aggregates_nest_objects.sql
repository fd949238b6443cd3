SELECT
    TO_JSON(ARRAY_AGG(NAMED_STRUCT('q', `quantity`)) RESPECT NULLS, MAP('ignoreNullFields', 'false')) AS `kept`,
    TO_JSON(
        ARRAY_AGG(PARSE_JSON(TO_JSON(NAMED_STRUCT('q', `quantity`)))),
        MAP('ignoreNullFields', 'false')
    ) AS `left_out`,
    TO_JSON(
        MAP_FROM_ENTRIES(ARRAY_AGG(CASE
            WHEN TO_JSON(
                NAMED_STRUCT('q', `quantity`),
                MAP('ignoreNullFields', 'false')
            ) IS NOT NULL THEN NAMED_STRUCT(
                'key',
                `sku`,
                'value',
                NAMED_STRUCT('q', `quantity`)
            )
        END)),
        MAP('ignoreNullFields', 'false')
    ) AS `in`
FROM `spark_catalog`.`programs`.`lines`
WHERE `line_order` = 102
GROUP BY `sku`

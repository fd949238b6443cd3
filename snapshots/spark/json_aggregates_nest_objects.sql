SELECT `EXPR$0` AS `kept`, `EXPR$1` AS `left_out`, `EXPR$2` AS `in`
FROM (
    SELECT
        `sku`,
        TO_JSON(ARRAY_AGG(NAMED_STRUCT('q', `quantity`)) RESPECT NULLS, MAP('ignoreNullFields', 'false')) AS `EXPR$0`,
        TO_JSON(
            ARRAY_AGG(PARSE_JSON(TO_JSON(NAMED_STRUCT('q', `quantity`)))),
            MAP('ignoreNullFields', 'false')
        ) AS `EXPR$1`,
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
        ) AS `EXPR$2`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `line_order` = 102
    )
    GROUP BY `sku`
)

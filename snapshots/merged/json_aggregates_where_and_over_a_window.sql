SELECT
    `sku`,
    TO_JSON(
        ARRAY_AGG(`quantity`) FILTER (WHERE `quantity` > 2) RESPECT NULLS OVER (
            PARTITION BY `line_order`, `sku`
        ),
        MAP('ignoreNullFields', 'false')
    ) AS `large`
FROM `spark_catalog`.`programs`.`lines`

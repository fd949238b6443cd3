SELECT
    `line_order`,
    `sku`,
    MAX(`quantity`) OVER (
        PARTITION BY `line_order`
        ORDER BY `quantity`
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS `_c2`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)

SELECT
    `line_order`,
    `sku`,
    MAX(`quantity`) OVER (
        PARTITION BY `line_order`
        ORDER BY `quantity`
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    ) AS `_c2`
FROM `spark_catalog`.`programs`.`lines`

SELECT
    `line_order`,
    AVG(`quantity`) OVER (ORDER BY `line_order`) AS `mean`,
    MIN(`quantity`) OVER (ORDER BY `line_order`) AS `least`,
    COALESCE(
        SUM(`quantity`) OVER (ORDER BY `line_order` ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING),
        0L
    ) AS `later`,
    STDDEV_POP(`quantity`) OVER (ORDER BY `line_order`) AS `spread`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pen'
)

SELECT
    `line_order`,
    AVG(CAST(`quantity` AS DOUBLE)) OVER (ORDER BY `line_order`) AS `mean`,
    MIN(`quantity`) OVER (ORDER BY `line_order`) AS `least`,
    COALESCE(
        SUM(CAST(`quantity` AS BIGINT)) OVER (
            ORDER BY `line_order`
            ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ),
        CAST(0 AS BIGINT)
    ) AS `later`,
    STDDEV_POP(CAST(`quantity` AS DOUBLE)) OVER (ORDER BY `line_order`) AS `spread`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pen'
)

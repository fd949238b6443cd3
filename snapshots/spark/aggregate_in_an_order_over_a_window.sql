SELECT
    `line_order`,
    `sku`,
    LISTAGG(`sku`, '+') WITHIN GROUP (ORDER BY `sku`) OVER (PARTITION BY `line_order`) AS `all`,
    PERCENTILE_CONT(0.5D) WITHIN GROUP (
        ORDER BY `quantity`
    ) FILTER (WHERE `sku` = 'pen') OVER (
        PARTITION BY `line_order`
    ) AS `pens`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
)

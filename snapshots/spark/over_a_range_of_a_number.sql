SELECT
    `line_order`,
    SUM(`quantity`) OVER (ORDER BY `line_order` RANGE BETWEEN 5 PRECEDING AND 2 FOLLOWING) AS `s`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` <> 'pen'
)

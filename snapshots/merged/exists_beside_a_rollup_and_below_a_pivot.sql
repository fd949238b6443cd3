WITH `lines_by_sku` AS (
    SELECT `sku`, SUM(`quantity`) AS `n`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY ROLLUP(`sku`)
)
SELECT *
FROM `lines_by_sku`
WHERE EXISTS (
    SELECT MAX(`price`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`products`
    WHERE `product` = `lines_by_sku`.`sku`
)
    AND `n` > 5

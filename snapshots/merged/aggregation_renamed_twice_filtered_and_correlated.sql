WITH `lines_by_sku` AS (
    SELECT `sku` AS `a`, SUM(`quantity`) AS `sku`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY `sku`
    HAVING SUM(`quantity`) > 1
)
SELECT *
FROM `lines_by_sku`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`products`
    WHERE `product` = `lines_by_sku`.`a`
        AND `price` > 1
)

SELECT
    `product`,
    (
        SELECT MAX(`quantity`) - MIN(`quantity`) AS `_c0`
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `sku` = `products`.`product`
    ) AS `span`
FROM `spark_catalog`.`programs`.`products`

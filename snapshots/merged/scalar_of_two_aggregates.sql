SELECT
    `product`,
    (
        SELECT MAX(`quantity`) - MIN(`quantity`)
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `sku` = `products`.`product`
    ) AS `span`
FROM `spark_catalog`.`programs`.`products`

SELECT
    TRANSFORM(`tags`, `product_0` -> CONCAT(`product_0`, `product`)) AS `x`,
    TRANSFORM(`tags`, `product` -> CONCAT(`product`, '!')) AS `y`
FROM `spark_catalog`.`programs`.`products`

SELECT
    `product`,
    LAG(`size`, 1) OVER (ORDER BY `product`).`width` AS `before`,
    FIRST_VALUE(`tags`) OVER (ORDER BY `product` DESC) AS `tags`,
    CAST(ROW_NUMBER() OVER (PARTITION BY `size` ORDER BY `product`) AS INT) AS `n`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

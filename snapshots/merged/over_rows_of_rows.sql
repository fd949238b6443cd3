SELECT
    `product`,
    LAG(`size`, 1) OVER (ORDER BY `product`).`width` AS `before`,
    FIRST_VALUE(`tags`) IGNORE NULLS OVER (ORDER BY `product` DESC) AS `tags`,
    ROW_NUMBER() OVER (PARTITION BY `size` ORDER BY `product`) AS `n`
FROM `spark_catalog`.`programs`.`products`

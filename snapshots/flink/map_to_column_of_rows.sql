SELECT `size`.`width` AS `width`, `size`.`box` AS `box`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

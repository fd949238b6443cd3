SELECT
    TRANSFORM(`tags`, (`tag`, `i`) -> CONCAT(CONCAT(`product`, `tag`), CAST(`i` AS STRING))) AS `tags`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

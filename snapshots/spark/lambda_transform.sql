SELECT `product`, TRANSFORM(`tags`, `tag` -> UPPER(`tag`)) AS `tags`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

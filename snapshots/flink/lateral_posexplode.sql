SELECT `product`, `p`, `tag`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `p` - 1 AS `p`, `tag`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    CROSS JOIN UNNEST(`tags`) WITH ORDINALITY AS `lateral`(`tag`, `p`)
)

SELECT `tag`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    INNER JOIN LATERAL EXPLODE(`tags`) AS `lateral`(`tag`)
)

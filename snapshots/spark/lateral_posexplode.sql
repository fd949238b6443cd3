SELECT `product`, `p`, `tag`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `p`, `tag`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    INNER JOIN LATERAL POSEXPLODE(`tags`) AS `lateral`(`p`, `tag`)
)

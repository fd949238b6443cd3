SELECT `product`, `tag`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    INNER JOIN LATERAL EXPLODE_OUTER(`tags`) AS `lateral`(`tag`)
)

SELECT `product`, `tag`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        CROSS JOIN UNNEST(`tags`) AS `lateral`(`tag`)
    )
    WHERE `tag` <> 'fine' AND `product` <> 'pad'
)

SELECT `col`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `col`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    CROSS JOIN UNNEST(`tags`) AS `lateral`(`col`)
)

SELECT `product`, `col`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `col`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    LEFT OUTER JOIN UNNEST(`tags`) AS `lateral`(`col`) ON TRUE
)

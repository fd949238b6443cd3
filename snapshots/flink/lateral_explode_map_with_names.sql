SELECT `product`, `k``ey`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `k``ey`, `VALUE`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`, `k``ey`, `VALUE`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        LEFT OUTER JOIN UNNEST(`attributes`) AS `lateral`(`k``ey`, `VALUE`) ON TRUE
    )
    WHERE `VALUE` IS NULL
)

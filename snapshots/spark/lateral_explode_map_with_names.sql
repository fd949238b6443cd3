SELECT `product`, `k``ey`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `k``ey`, `VALUE`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`, `k``ey`, `VALUE`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        INNER JOIN LATERAL EXPLODE_OUTER(`attributes`) AS `lateral`(`k``ey`, `VALUE`)
    )
    WHERE `VALUE` IS NULL
)

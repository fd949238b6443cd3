SELECT `product`, `w`, `box`.`depth` AS `depth`
FROM (
    SELECT `product`, `sizes`, `w`, `box`
    FROM (
        SELECT `product`, ARRAY(`size`) AS `sizes`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
    )
    INNER JOIN LATERAL INLINE_OUTER(`sizes`) AS `lateral`(`w`, `box`)
)

SELECT `product`, `key`, `value`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `key`, `value`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    INNER JOIN LATERAL EXPLODE(`attributes`) AS `lateral`(`key`, `value`)
)

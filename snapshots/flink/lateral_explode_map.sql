SELECT `product`, `key`, `value`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `key`, `value`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    CROSS JOIN UNNEST(`attributes`) AS `lateral`(`key`, `value`)
)

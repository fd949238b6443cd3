SELECT `product`, `pos` IS NULL AS `none`, `value`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `pos` - 1 AS `pos`, `key`, `value`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    LEFT OUTER JOIN UNNEST(`attributes`) WITH ORDINALITY AS `lateral`(`key`, `value`, `pos`) ON TRUE
)

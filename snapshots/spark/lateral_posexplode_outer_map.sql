SELECT `product`, `pos` IS NULL AS `none`, `value`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `pos`, `key`, `value`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    INNER JOIN LATERAL POSEXPLODE_OUTER(`attributes`) AS `lateral`(`pos`, `key`, `value`)
)

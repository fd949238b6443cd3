WITH `products_computed` AS (
    SELECT `product`, ARRAY(`size`) AS `sizes`
    FROM `spark_catalog`.`programs`.`products`
)
SELECT `products_computed`.`product`, `lateral`.`w`, `lateral`.`box`.`depth` AS `depth`
FROM `products_computed`
INNER JOIN LATERAL INLINE_OUTER(`products_computed`.`sizes`) AS `lateral`(`w`, `box`)

SELECT
    `product`,
    `tags`[1] AS `first`,
    `tags`[9] AS `ninth`,
    `attributes`['stock'] AS `stock`,
    CARDINALITY(`tags`) AS `n`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

SELECT `size$box$depth`, `product`, `EXPR$0`
FROM `nested_keys`(
    `r` => TABLE(
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    ) PARTITION BY (`size`.`box`.`depth`, `product`) ORDER BY (`size`.`width` DESC)
)

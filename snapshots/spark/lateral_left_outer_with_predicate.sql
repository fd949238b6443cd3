SELECT `product`, `tag`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    LEFT OUTER JOIN LATERAL EXPLODE(`tags`) AS `lateral`(`tag`)
    ON `tag` = (
        SELECT MAX('a5') AS `EXPR$0`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
    )
)

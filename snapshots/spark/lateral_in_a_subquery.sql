SELECT `line_order`, `sku`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    ) AS `outer`
    WHERE `sku` IN (
        SELECT `product`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
            FROM (
                SELECT `product`, `price`, `tags`, `attributes`, `size`, `tag`
                FROM (
                    SELECT `product`, `price`, `tags`, `attributes`, `size`
                    FROM `spark_catalog`.`programs`.`products`
                )
                INNER JOIN LATERAL EXPLODE(`tags`) AS `lateral`(`tag`)
            )
            WHERE `tag` IS NOT NULL AND `product` = `outer`.`sku`
        )
    )
)

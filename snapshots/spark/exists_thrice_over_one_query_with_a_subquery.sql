SELECT `order_id`
FROM (
    SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    ) AS `outer`
    WHERE EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                WHERE `line_order` = `outer`.`order_id`
            )
            WHERE `sku` IN (
                SELECT `product`
                FROM (
                    SELECT `product`, `price`, `tags`, `attributes`, `size`
                    FROM (
                        SELECT `product`, `price`, `tags`, `attributes`, `size`
                        FROM `spark_catalog`.`programs`.`products`
                    )
                    WHERE `price` > 2
                )
            )
        )
        WHERE `quantity` > 1
    ) AND NOT EXISTS (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                WHERE `line_order` = `outer`.`order_id`
            )
            WHERE `sku` IN (
                SELECT `product`
                FROM (
                    SELECT `product`, `price`, `tags`, `attributes`, `size`
                    FROM (
                        SELECT `product`, `price`, `tags`, `attributes`, `size`
                        FROM `spark_catalog`.`programs`.`products`
                    )
                    WHERE `price` > 2
                )
            )
        )
        WHERE `quantity` > 5
    ) AND EXISTS (
        SELECT `what`
        FROM (
            SELECT `sku` AS `what`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM (
                        SELECT `line_order`, `sku`, `quantity`
                        FROM `spark_catalog`.`programs`.`lines`
                    )
                    WHERE `line_order` = `outer`.`order_id`
                )
                WHERE `sku` IN (
                    SELECT `product`
                    FROM (
                        SELECT `product`, `price`, `tags`, `attributes`, `size`
                        FROM (
                            SELECT `product`, `price`, `tags`, `attributes`, `size`
                            FROM `spark_catalog`.`programs`.`products`
                        )
                        WHERE `price` > 2
                    )
                )
            )
        )
        WHERE `what` = 'ink'
    )
)

WITH `products_filtered` AS (
    SELECT `product`
    FROM `spark_catalog`.`programs`.`products`
    WHERE `price` > 2
)
SELECT `order_id`
FROM `spark_catalog`.`programs`.`orders`
WHERE EXISTS (
    SELECT *
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `orders`.`order_id`
        AND `sku` IN (
            SELECT *
            FROM `products_filtered`
        )
        AND `quantity` > 1
)
    AND NOT EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `orders`.`order_id`
            AND `sku` IN (
                SELECT *
                FROM `products_filtered`
            )
            AND `quantity` > 5
    )
    AND EXISTS (
        SELECT `sku` AS `what`
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `orders`.`order_id`
            AND `sku` IN (
                SELECT *
                FROM `products_filtered`
            )
            AND `sku` = 'ink'
    )

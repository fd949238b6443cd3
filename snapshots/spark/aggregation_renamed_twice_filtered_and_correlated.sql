SELECT `a`, `sku`
FROM (
    SELECT `a`, `sku`
    FROM (
        SELECT `sku` AS `a`, SUM(`quantity`) AS `sku`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        GROUP BY `sku`
    )
    WHERE `sku` > 1
) AS `outer`
WHERE EXISTS (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
        WHERE `product` = `outer`.`a`
    )
    WHERE `price` > 1
)

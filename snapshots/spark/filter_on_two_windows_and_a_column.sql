SELECT `line_order`, `sku`, `quantity`
FROM (
    SELECT `line_order`, `sku`, `quantity`, `EXPR$0`, `EXPR$1`
    FROM (
        SELECT
            `line_order`,
            `sku`,
            `quantity`,
            RANK() OVER (ORDER BY `quantity` DESC) AS `EXPR$0`,
            MAX(`quantity`) OVER () AS `EXPR$1`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
    )
    WHERE `EXPR$0` <= 3 AND `quantity` < `EXPR$1` AND `sku` <> 'cap'
)

SELECT `line_order`, `sku`, `quantity`, `place`
FROM (
    SELECT
        `line_order`,
        `sku`,
        `quantity`,
        ROW_NUMBER() OVER (ORDER BY `quantity` DESC, `sku`) AS `place`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `sku` <> 'pen'
    )
)
ORDER BY `place`

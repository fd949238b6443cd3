WITH `lines_windowed` AS (
    SELECT
        `line_order`,
        `sku`,
        `quantity`,
        RANK() OVER (ORDER BY `quantity` DESC) AS `EXPR$0`,
        MAX(`quantity`) OVER () AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`lines`
)
SELECT `line_order`, `sku`, `quantity`
FROM `lines_windowed`
WHERE `EXPR$0` <= 3
    AND `quantity` < `EXPR$1`
    AND `sku` <> 'cap'

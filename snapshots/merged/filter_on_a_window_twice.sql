WITH `lines_windowed` AS (
    SELECT
        `line_order`,
        `sku`,
        `quantity`,
        ROW_NUMBER() OVER (ORDER BY `line_order`, `sku`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`lines`
),
`lines_windowed_2` AS (
    SELECT
        `line_order`,
        `sku`,
        `quantity`,
        ROW_NUMBER() OVER (ORDER BY `line_order`, `sku`) AS `EXPR$0`
    FROM `lines_windowed`
    WHERE `EXPR$0` > 1
),
`lines_windowed_3` AS (
    SELECT `line_order` AS `EXPR$0`, `sku`, RANK() OVER (ORDER BY `line_order` DESC) AS `EXPR$0_0`
    FROM `lines_windowed_2`
    WHERE `EXPR$0` > 1
)
SELECT `EXPR$0`, `sku`
FROM `lines_windowed_3`
WHERE `EXPR$0_0` = 1

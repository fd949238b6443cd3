SELECT
    `sku`,
    `EXPR$0` AS `total`,
    RANK() OVER (ORDER BY `EXPR$0` DESC) AS `place`,
    SUM(`EXPR$0`) OVER () AS `everything`
FROM (
    SELECT `sku`, SUM(`quantity`) AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
)

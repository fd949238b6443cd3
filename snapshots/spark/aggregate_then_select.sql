SELECT CONCAT(`sku`, '!') AS `_c0`, `s` * 2 AS `_c1`
FROM (
    SELECT `sku`, SUM(`quantity`) AS `s`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
)

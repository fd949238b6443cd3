SELECT CONCAT(`sku`, '!') AS `_c0`, `s` * 2 AS `_c1`
FROM (
    SELECT `sku`, `EXPR$0` AS `s`
    FROM (
        SELECT `sku`, SUM(`quantity`) AS `EXPR$0`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        GROUP BY `sku`
    )
)

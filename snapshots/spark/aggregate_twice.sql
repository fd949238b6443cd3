SELECT MAX(`q`) AS `most`, COUNT(`line_order`) AS `n`
FROM (
    SELECT `line_order`, SUM(`quantity`) AS `q`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `line_order`
)

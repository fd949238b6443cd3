SELECT `sku`, `EXPR$0` AS `n`
FROM (
    SELECT SUBSTRING(`sku` FROM 1 FOR 1) AS `sku`, COUNT(`sku`) AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY SUBSTRING(`sku` FROM 1 FOR 1)
)

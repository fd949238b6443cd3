SELECT `line_order`, `sku`, `quantity`
FROM (
    SELECT /*+ COALESCE(1) */ `line_order`, `sku`, `quantity`
    FROM (
        SELECT /*+ REPARTITION(3, `sku`) */ `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
    )
)
WHERE `quantity` > 5

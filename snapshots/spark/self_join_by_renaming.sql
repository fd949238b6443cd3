SELECT `sku`, `s2`
FROM (
    SELECT `line_order`, `sku`, `quantity`, `o2`, `s2`, `q2`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    INNER JOIN (
        SELECT `line_order` AS `o2`, `sku` AS `s2`, `quantity` AS `q2`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
    )
    ON `line_order` = `o2` AND `sku` < `s2`
)

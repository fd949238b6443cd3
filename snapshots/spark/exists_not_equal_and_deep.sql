SELECT `line_order`, `sku`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    ) AS `outer`
    WHERE EXISTS (
        SELECT `q`
        FROM (
            SELECT `quantity` AS `q`
            FROM (
                SELECT `line_order`, `other_sku`, `quantity`
                FROM (
                    SELECT `line_order`, `sku` AS `other_sku`, `quantity`
                    FROM (
                        SELECT `line_order`, `sku`, `quantity`
                        FROM `spark_catalog`.`programs`.`lines`
                    )
                )
                WHERE `line_order` = `outer`.`line_order` AND `other_sku` <> `outer`.`sku`
            )
        )
        WHERE `q` IS NOT NULL
    )
)

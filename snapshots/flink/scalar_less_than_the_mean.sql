SELECT `line_order`, `sku`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    ) AS `outer`
    WHERE CAST(`quantity` * 2 AS DOUBLE) < (
        SELECT `EXPR$0` * CAST(2 AS DOUBLE) AS `m`
        FROM (
            SELECT AVG(CAST(`quantity` AS DOUBLE)) AS `EXPR$0`
            FROM (
                SELECT `o`, `sku`, `quantity`
                FROM (
                    SELECT `line_order` AS `o`, `sku`, `quantity`
                    FROM (
                        SELECT `line_order`, `sku`, `quantity`
                        FROM `spark_catalog`.`programs`.`lines`
                    )
                )
                WHERE `sku` = `outer`.`sku`
            )
        )
    )
)

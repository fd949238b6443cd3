SELECT `quantity`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    ORDER BY
        `quantity` + (
            SELECT COUNT(1) AS `EXPR$0`
            FROM (
                SELECT `a`, `b`
                FROM `spark_catalog`.`programs`.`nothing`
            )
        ),
        `sku`
)

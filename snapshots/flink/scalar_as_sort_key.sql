SELECT `quantity`
FROM (
    SELECT
        `quantity`,
        `quantity` + (
            SELECT COUNT(1) AS `EXPR$0`
            FROM (
                SELECT `a`, `b`
                FROM `spark_catalog`.`programs`.`nothing`
            )
        ) AS `EXPR$1`,
        `sku`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)
ORDER BY `EXPR$1`, `sku`

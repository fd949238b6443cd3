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
        ) AS `sort_key_0`,
        `sku` AS `sort_key_1`
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
) AS `sorted`
ORDER BY `sort_key_0`, `sort_key_1`

SELECT `odd`, `line_order`, `s`, `g`
FROM (
    SELECT `odd`, `line_order`, `EXPR$0` AS `s`, `EXPR$1` AS `g`
    FROM (
        SELECT
            `quantity` % 2 AS `odd`,
            `line_order`,
            SUM(CAST(`quantity` AS BIGINT)) AS `EXPR$0`,
            GROUPING(`quantity` % 2) AS `EXPR$1`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            WHERE `quantity` IS NOT NULL
        )
        GROUP BY CUBE(`quantity` % 2, `line_order`)
    )
)
WHERE `g` = 1 OR `odd` = 0

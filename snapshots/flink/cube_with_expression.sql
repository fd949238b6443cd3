SELECT `odd`, `line_order`, `s`, `g`
FROM (
    SELECT
        `quantity` % 2 AS `odd`,
        `line_order`,
        SUM(CAST(`quantity` AS BIGINT)) AS `s`,
        GROUPING(`quantity` % 2) AS `g`
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
WHERE `g` = 1 OR `odd` = 0

SELECT `sku`, `EXPR$0` AS `large`, `EXPR$1` AS `unknown`, `EXPR$2` AS `all`
FROM (
    SELECT
        `sku`,
        SUM(CAST(`quantity` AS BIGINT)) FILTER (WHERE `quantity` > 2) AS `EXPR$0`,
        COUNT(1) FILTER (WHERE `quantity` IS NULL) AS `EXPR$1`,
        COUNT(1) AS `EXPR$2`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
)

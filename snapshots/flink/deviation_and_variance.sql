SELECT
    `EXPR$0` AS `vp`,
    `EXPR$1` AS `vs`,
    `EXPR$2` * `EXPR$2` AS `p`,
    `EXPR$3` * `EXPR$3` > 1.89E1 AS `q`
FROM (
    SELECT
        VAR_POP(CAST(`quantity` AS DOUBLE)) AS `EXPR$0`,
        VAR_SAMP(CAST(`quantity` AS DOUBLE)) AS `EXPR$1`,
        STDDEV_POP(CAST(`quantity` AS DOUBLE)) AS `EXPR$2`,
        STDDEV_SAMP(CAST(`quantity` AS DOUBLE)) AS `EXPR$3`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `quantity` > 1
    )
)

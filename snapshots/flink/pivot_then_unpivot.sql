SELECT `line_order`, `sku`, `total`
FROM (
    SELECT
        `line_order`,
        `label0` AS `sku`,
        CASE WHEN `label0` = 'pen' THEN `pen` ELSE `ink` END AS `total`
    FROM (
        SELECT `line_order`, `pen`, `ink`, `label0`
        FROM (
            SELECT
                `line_order`,
                CASE WHEN `EXPR$0` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$1` END AS `pen`,
                CASE WHEN `EXPR$2` = CAST(0 AS BIGINT) THEN CAST(NULL AS BIGINT) ELSE `EXPR$3` END AS `ink`
            FROM (
                SELECT
                    `line_order`,
                    COUNT(1) FILTER (WHERE `sku` = 'pen') AS `EXPR$0`,
                    SUM(CAST(`quantity` AS BIGINT)) FILTER (WHERE `sku` = 'pen') AS `EXPR$1`,
                    COUNT(1) FILTER (WHERE `sku` = 'ink') AS `EXPR$2`,
                    SUM(CAST(`quantity` AS BIGINT)) FILTER (WHERE `sku` = 'ink') AS `EXPR$3`
                FROM (
                    SELECT `line_order`, `sku`, `quantity`
                    FROM `spark_catalog`.`programs`.`lines`
                )
                GROUP BY `line_order`
            ) AS `pivot`
        )
        CROSS JOIN (
            SELECT `label0`
            FROM (VALUES
                ('pen'),
                ('ink')
            ) AS `values`(`label0`)
        )
    ) AS `unpivot`
)
WHERE `total` IS NOT NULL

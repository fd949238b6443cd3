SELECT `line_order`, `sku`, `total`
FROM (
    SELECT `line_order`, `sku`, `total`
    FROM (
        SELECT `line_order`, `pen`, `ink`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        PIVOT (
            SUM(`quantity`)
            FOR `sku` IN ('pen' AS `pen`, 'ink' AS `ink`)
        )
    )
    UNPIVOT INCLUDE NULLS (
        `total` FOR `sku` IN (`pen`, `ink`)
    )
)
WHERE `total` IS NOT NULL

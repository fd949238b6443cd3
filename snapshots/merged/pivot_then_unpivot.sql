WITH `lines_pivot` AS (
    SELECT `line_order`, `pen`, `ink`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    PIVOT (
        SUM(`quantity`)
        FOR `sku` IN ('pen' AS `pen`, 'ink' AS `ink`)
    )
),
`lines_unpivot` AS (
    SELECT `line_order`, `sku`, `total`
    FROM `lines_pivot`
    UNPIVOT INCLUDE NULLS (
        `total` FOR `sku` IN (`pen`, `ink`)
    )
)
SELECT *
FROM `lines_unpivot`
WHERE `total` IS NOT NULL

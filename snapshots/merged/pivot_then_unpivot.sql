WITH `lines_pivoted` AS (
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
`lines_unpivoted` AS (
    SELECT `line_order`, `sku`, `total`
    FROM `lines_pivoted`
    UNPIVOT INCLUDE NULLS (
        `total` FOR `sku` IN (`pen`, `ink`)
    )
)
SELECT *
FROM `lines_unpivoted`
WHERE `total` IS NOT NULL

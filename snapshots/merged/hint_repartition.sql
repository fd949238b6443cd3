WITH `lines_hinted` AS (
    SELECT /*+ REPARTITION(3, `sku`) */ `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
),
`lines_hinted_2` AS (
    SELECT /*+ COALESCE(1) */ `line_order`, `sku`, `quantity`
    FROM `lines_hinted`
)
SELECT *
FROM `lines_hinted_2`
WHERE `quantity` > 5

WITH `lines_hint` AS (
    SELECT /*+ REPARTITION(3, `sku`) */ `line_order`, `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
),
`lines_hint_2` AS (
    SELECT /*+ COALESCE(1) */ `line_order`, `sku`, `quantity`
    FROM `lines_hint`
)
SELECT *
FROM `lines_hint_2`
WHERE `quantity` > 5

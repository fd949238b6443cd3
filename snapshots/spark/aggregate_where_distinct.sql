SELECT `EXPR$0` AS `d`, `EXPR$1` AS `z`, `EXPR$2` - `EXPR$3` AS `span`
FROM (
    SELECT
        COUNT(DISTINCT `sku`) FILTER (WHERE `quantity` >= 2) AS `EXPR$0`,
        COALESCE(SUM(`quantity`) FILTER (WHERE `sku` = 'nothing'), 0L) AS `EXPR$1`,
        MAX(`quantity`) FILTER (WHERE `sku` = 'pen') AS `EXPR$2`,
        MIN(`quantity`) AS `EXPR$3`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
)

SELECT `EXPR$0` AS `some`, `EXPR$1` IS NULL AS `none`
FROM (
    SELECT
        `line_order`,
        ANY_VALUE(`line_order`) AS `EXPR$0`,
        ANY_VALUE(`quantity`) IGNORE NULLS AS `EXPR$1`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `line_order`
)

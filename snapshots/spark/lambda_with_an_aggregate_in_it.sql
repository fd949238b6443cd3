SELECT
    `sku`,
    TRANSFORM(ARRAY(1, 10), `x` -> `x` * `EXPR$0`) AS `sums`,
    AGGREGATE(ARRAY(`sku`, '!'), '', (`all`, `part`) -> CONCAT(`all`, `part`)) AS `name`
FROM (
    SELECT `sku`, SUM(`quantity`) AS `EXPR$0`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `sku`
)

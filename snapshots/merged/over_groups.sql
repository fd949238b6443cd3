WITH `lines_by_sku` AS (
    SELECT `sku`, SUM(`quantity`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY `sku`
)
SELECT
    `sku`,
    `EXPR$0` AS `total`,
    RANK() OVER (ORDER BY `EXPR$0` DESC) AS `place`,
    SUM(`EXPR$0`) OVER () AS `everything`
FROM `lines_by_sku`

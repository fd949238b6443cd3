WITH `lines_by_sku` AS (
    SELECT `sku`, COUNT(1) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY `sku`
)
SELECT
    `sku`,
    `EXPR$0` AS `n`,
    EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`products`
        WHERE `product` = `lines_by_sku`.`sku`
            AND `price` IS NOT NULL
    ) AS `e`
FROM `lines_by_sku`

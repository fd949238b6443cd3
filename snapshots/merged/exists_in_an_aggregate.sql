WITH `orders_grouped` AS (
    SELECT
        SUM(CASE WHEN EXISTS (
            SELECT *
            FROM `spark_catalog`.`programs`.`lines`
            WHERE `line_order` = `orders`.`order_id`
        ) THEN 1 ELSE 0 END) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`orders`
)
SELECT
    `EXPR$0` AS `n`,
    EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`nothing`
    ) AS `e`
FROM `orders_grouped`

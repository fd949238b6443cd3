SELECT
    `order_id`,
    CASE WHEN EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `orders`.`order_id`
    ) THEN 'lines' ELSE 'none' END AS `has`
FROM `spark_catalog`.`programs`.`orders`

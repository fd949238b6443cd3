SELECT
    `order_id`,
    (
        SELECT SUM(`quantity`)
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `orders`.`order_id`
    ) AS `quantity`
FROM `spark_catalog`.`programs`.`orders`

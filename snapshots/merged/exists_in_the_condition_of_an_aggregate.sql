SELECT
    COUNT(1) FILTER (WHERE EXISTS (
        SELECT *
        FROM `spark_catalog`.`programs`.`lines`
        WHERE `line_order` = `outer_orders`.`order_id`
    )) AS `n`,
    MAX(`amount`) FILTER (WHERE `status` IN (
        SELECT `status`
        FROM `spark_catalog`.`programs`.`orders`
        WHERE `amount` < 1
    )) AS `m`
FROM `spark_catalog`.`programs`.`orders` AS `outer_orders`

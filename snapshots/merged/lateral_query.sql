SELECT `orders`.`order_id`, `lateral`.`sku`, `lateral`.`quantity`
FROM `spark_catalog`.`programs`.`orders`
INNER JOIN LATERAL (
    SELECT `sku`, `quantity`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `orders`.`order_id`
    ORDER BY `quantity` DESC
    LIMIT 1
) AS `lateral`

SELECT `orders`.`order_id`, `lateral`.`q`, `lateral`.`n`
FROM `spark_catalog`.`programs`.`orders`
LEFT OUTER JOIN LATERAL (
    SELECT SUM(`quantity`) AS `q`, COUNT(1) AS `n`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `line_order` = `orders`.`order_id`
) AS `lateral`(`q`, `n`)
ON `lateral`.`n` > 0 AND `orders`.`amount` < 50

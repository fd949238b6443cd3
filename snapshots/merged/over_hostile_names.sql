SELECT
    `line_order` AS `window`,
    LAG(`quantity`, 1) OVER (PARTITION BY `sku` ORDER BY `line_order` DESC) AS `order by`
FROM `spark_catalog`.`programs`.`lines`

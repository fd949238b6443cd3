SELECT
    MODE(`sku`) AS `sku`,
    MODE() WITHIN GROUP (ORDER BY `quantity`) AS `least`,
    MODE() WITHIN GROUP (ORDER BY `line_order` DESC) AS `greatest`,
    MODE(`line_order`, TRUE) AS `chosen`
FROM `spark_catalog`.`programs`.`lines`

SELECT
    `product`,
    CASE WHEN `size`.`width` > 1 THEN 1.0 ELSE 2.0 END AS `w`,
    `size`.`box` AS `size$box`
FROM `spark_catalog`.`programs`.`products`

SELECT `size`.`width` AS `width`, `size`.`box` AS `box`
FROM `spark_catalog`.`programs`.`products`

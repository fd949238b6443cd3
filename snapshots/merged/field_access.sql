SELECT
    `size`.`width` AS `w`,
    `size`.`width` AS `size$width`,
    `size`.`box`.`depth` AS `size$box$depth`,
    `size`.`width` + 1 AS `p`
FROM `spark_catalog`.`programs`.`products`

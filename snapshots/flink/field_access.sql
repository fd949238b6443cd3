SELECT
    `size`.`width` AS `w`,
    `size`.`width` AS `size$width`,
    `size`.`box`.`depth` AS `size$box$depth`,
    `size`.`width` + 1 AS `p`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

SELECT
    `product`,
    `size`.`width` AS `size$width`,
    `size`.`box` AS `size$box`,
    NAMED_STRUCT('f0', 1, 'f1', 'a').`f0` AS `_c3`,
    NAMED_STRUCT('f0', 1, 'f1', 'a').`f1` AS `_c4`,
    `size`.`box`.`depth` AS `size$box$depth`
FROM `spark_catalog`.`programs`.`products`
WHERE `product` = 'pen'

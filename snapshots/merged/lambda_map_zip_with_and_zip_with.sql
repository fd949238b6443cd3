SELECT
    MAP_ZIP_WITH(`attributes`, MAP('stock', 1, 'new', 2), (`k`, `old`, `new`) -> IFNULL(`old`, 0) - `new`) AS `changed`,
    ZIP_WITH(`tags`, ARRAY(1, 2, 3), (`tag`, `i`) -> NAMED_STRUCT('f0', `tag`, 'f1', `i`)) AS `pairs`
FROM `spark_catalog`.`programs`.`products`
WHERE `product` = 'pen'

SELECT
    MAP_KEYS(`attributes`) AS `keys`,
    MAP_VALUES(`attributes`) AS `values`,
    MAP_ENTRIES(`attributes`) AS `entries`,
    MAP_FROM_ARRAYS(ARRAY(`product`), ARRAY(`price`)) AS `prices`,
    MAP_CONTAINS_KEY(`attributes`, 'stock') AS `has`,
    MAP_CONCAT(`attributes`, MAP('a', 1)) AS `more`
FROM `spark_catalog`.`programs`.`products`
WHERE `product` <> 'pen'

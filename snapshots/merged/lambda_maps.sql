SELECT
    `product`,
    MAP_FILTER(`attributes`, (`key`, `value`) -> `value` > 5) AS `many`,
    TRANSFORM_KEYS(`attributes`, (`key`, `value`) -> UPPER(`key`)) AS `upper`,
    TRANSFORM_VALUES(`attributes`, (`key`, `value`) -> `value` + `size`.`width`) AS `more`
FROM `spark_catalog`.`programs`.`products`

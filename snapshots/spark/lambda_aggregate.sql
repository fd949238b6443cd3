SELECT
    `product`,
    AGGREGATE(
        MAP_VALUES(`attributes`),
        0,
        (`total`, `value`) -> `total` + IFNULL(`value`, 0),
        `total` -> `total` * 10
    ) AS `total`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM `spark_catalog`.`programs`.`products`
)

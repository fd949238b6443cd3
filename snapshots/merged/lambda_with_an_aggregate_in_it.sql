SELECT
    `sku`,
    TRANSFORM(ARRAY(1, 10), `x` -> `x` * SUM(`quantity`)) AS `sums`,
    AGGREGATE(ARRAY(`sku`, '!'), '', (`all`, `part`) -> CONCAT(`all`, `part`)) AS `name`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`

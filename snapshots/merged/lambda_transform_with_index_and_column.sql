SELECT
    TRANSFORM(`tags`, (`tag`, `i`) -> CONCAT(CONCAT(`product`, `tag`), CAST(`i` AS STRING))) AS `tags`
FROM `spark_catalog`.`programs`.`products`

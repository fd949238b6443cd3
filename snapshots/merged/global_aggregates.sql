SELECT
    MIN(`amount`) AS `lo`,
    MAX(`amount`) AS `hi`,
    AVG(`amount`) AS `mean`,
    COUNT(`amount`) AS `n`
FROM `spark_catalog`.`programs`.`orders`

SELECT
    `status`,
    COUNT_IF(`amount` > 0) AS `n`,
    BOOL_AND(`amount` > 0) AS `all`,
    BOOL_OR(`amount` > 0) AS `any`
FROM `spark_catalog`.`programs`.`orders`
GROUP BY `status`

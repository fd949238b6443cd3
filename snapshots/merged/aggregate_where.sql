SELECT
    `sku`,
    SUM(`quantity`) FILTER (WHERE `quantity` > 2) AS `large`,
    COUNT(1) FILTER (WHERE `quantity` IS NULL) AS `unknown`,
    COUNT(1) AS `all`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`

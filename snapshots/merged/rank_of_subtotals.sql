SELECT `sku`, RANK() OVER (PARTITION BY GROUPING(`sku`) ORDER BY SUM(`quantity`) DESC) AS `place`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY ROLLUP(`sku`)

SELECT
    CONCAT(UPPER(`sku`), '!') AS `name`,
    SUM(`quantity`) AS `s`,
    SUM(`quantity`) * SUM(`quantity`) AS `square`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY UPPER(`sku`)
HAVING CONCAT(UPPER(`sku`), '!') <> 'CAP!'

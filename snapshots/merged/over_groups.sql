SELECT
    `sku`,
    SUM(`quantity`) AS `total`,
    RANK() OVER (ORDER BY SUM(`quantity`) DESC) AS `place`,
    SUM(SUM(`quantity`)) OVER () AS `everything`
FROM `spark_catalog`.`programs`.`lines`
GROUP BY `sku`

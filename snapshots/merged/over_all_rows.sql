WITH `lines_windowed` AS (
    SELECT `sku`, `quantity` * 100 / SUM(`quantity`) OVER () AS `percent`
    FROM `spark_catalog`.`programs`.`lines`
)
SELECT *
FROM `lines_windowed`
WHERE `sku` = 'pad'

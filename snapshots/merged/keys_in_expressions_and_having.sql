WITH `lines_grouped` AS (
    SELECT
        CONCAT(UPPER(`sku`), '!') AS `name`,
        SUM(`quantity`) AS `s`,
        SUM(`quantity`) * SUM(`quantity`) AS `square`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY UPPER(`sku`)
)
SELECT *
FROM `lines_grouped`
WHERE `name` <> 'CAP!'

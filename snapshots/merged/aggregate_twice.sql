WITH `lines_by_line_order` AS (
    SELECT `line_order`, SUM(`quantity`) AS `q`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY `line_order`
)
SELECT MAX(`q`) AS `most`, COUNT(`line_order`) AS `n`
FROM `lines_by_line_order`

WITH `lines_by_line_order` AS (
    SELECT `line_order`, MAX(`quantity`) AS `most`, MIN(`quantity`) AS `least`
    FROM `spark_catalog`.`programs`.`lines`
    GROUP BY `line_order`
)
SELECT `lines_by_line_order`.`line_order`, `lateral`.`n`
FROM `lines_by_line_order`
INNER JOIN LATERAL EXPLODE(ARRAY(`lines_by_line_order`.`most`, `lines_by_line_order`.`least`)) AS `lateral`(`n`)
WHERE `lateral`.`n` > 2

WITH `lines_grouped` AS (
    SELECT
        `quantity` % 2 AS `odd`,
        `line_order`,
        SUM(`quantity`) AS `s`,
        GROUPING(`quantity` % 2) AS `g`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `quantity` IS NOT NULL
    GROUP BY CUBE(`quantity` % 2, `line_order`)
)
SELECT *
FROM `lines_grouped`
WHERE `g` = 1 OR `odd` = 0

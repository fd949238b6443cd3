WITH `lines_computed` AS (
    SELECT NAMED_STRUCT('a.b', 1, 'c`d', 2, 'e f', 'x') AS `r.r`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `sku` = 'cap'
)
SELECT `r.r`.`a.b` AS `i`, `r.r`.`c``d` AS `j`, `r.r`.`e f` AS `r.r$e f`
FROM `lines_computed`

WITH `nothing_selected` AS (
    SELECT `a`, `b`, `a` AS `_c2`
    FROM `spark_catalog`.`programs`.`nothing`
)
SELECT `a`, `x`
FROM `nothing_selected`
PIVOT (
    COUNT(`_c2`)
    FOR `b` IN ('x' AS `x`)
)

SELECT `a`, `x`
FROM (
    SELECT `a`, `b`, `a` AS `_c2`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
PIVOT (
    COUNT(`_c2`)
    FOR `b` IN ('x' AS `x`)
)

SELECT `a`, `b`, `x`, `y`
FROM (
    SELECT `a`, `b`, `x`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
    INNER JOIN LATERAL EXPLODE(ARRAY(`a`, 1)) AS `lateral`(`x`)
)
INNER JOIN LATERAL EXPLODE_OUTER(ARRAY(`b`)) AS `lateral`(`y`)

SELECT `a`, `b`, `x`, `y`
FROM (
    SELECT `a`, `b`, `x`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
    CROSS JOIN UNNEST(ARRAY[`a`, 1]) AS `lateral`(`x`)
)
LEFT OUTER JOIN UNNEST(ARRAY[`b`]) AS `lateral`(`y`) ON TRUE

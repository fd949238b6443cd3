SELECT `a` AS `b`, `b` AS `a`
FROM (
    SELECT `a`, `b`
    FROM (VALUES
        (1, 2)
    ) AS `values`(`a`, `b`)
)

SELECT `a` AS `b`, `b` AS `a`
FROM VALUES
    (1, 2)
AS `values`(`a`, `b`)

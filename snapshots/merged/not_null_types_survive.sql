SELECT `i` + 1 AS `i`, UPPER(`s`) AS `s`, `m` * 2 AS `m`
FROM VALUES
    (1, 'a', CAST(1.00 AS DECIMAL(10, 2)))
AS `values`(`i`, `s`, `m`)

SELECT *
FROM VALUES
    (1)
AS `values`(`new
line`)
WHERE `new
line` = 1

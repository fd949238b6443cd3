SELECT
    TRIM(BOTH FROM `s`) AS `b`,
    TRIM(LEADING FROM `s`) AS `l`,
    TRIM(TRAILING FROM `s`) AS `t`,
    TRIM(BOTH 'x' FROM `s`) AS `bx`,
    TRIM(LEADING 'x' FROM `s`) AS `lx`,
    TRIM(TRAILING 'x' FROM `s`) AS `tx`
FROM VALUES
    (' xxaxx '),
    ('xxaxx')
AS `values`(`s`)

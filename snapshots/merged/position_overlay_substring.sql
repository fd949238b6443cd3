SELECT
    POSITION('cd' IN `s`) AS `p`,
    POSITION('z' IN `s`) AS `q`,
    OVERLAY(`s` PLACING 'ZZ' FROM 2) AS `o`,
    OVERLAY(`s` PLACING 'ZZ' FROM 2 FOR 4) AS `o4`,
    SUBSTRING(`s` FROM 3) AS `a`,
    SUBSTRING(`s` FROM 2 FOR 3) AS `b`,
    SUBSTR(`s`, -2) AS `c`
FROM VALUES
    ('abcdef')
AS `values`(`s`)

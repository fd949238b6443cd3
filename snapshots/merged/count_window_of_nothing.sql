WITH `nothing_computed` AS (
    SELECT `a`, `b`, CAST(`b` AS DATE) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`nothing`
    WHERE CAST(`b` AS DATE) IS NOT NULL
),
`nothing_windowed` AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY `a` ORDER BY `EXPR$0`) AS `EXPR$0_0`
    FROM `nothing_computed`
)
SELECT `nothing_windowed`.`a`, COUNT(1) AS `EXPR$0`
FROM `nothing_windowed`
INNER JOIN VALUES
    (0),
    (2)
AS `values`(`EXPR$1`)
ON (`nothing_windowed`.`EXPR$0_0` - 1) % 2 + `values`.`EXPR$1` < 4
    AND `nothing_windowed`.`EXPR$0_0` - 1 - (`nothing_windowed`.`EXPR$0_0` - 1) % 2 - `values`.`EXPR$1` >= 0
GROUP BY
    `nothing_windowed`.`EXPR$0_0` - 1 - (`nothing_windowed`.`EXPR$0_0` - 1) % 2 - `values`.`EXPR$1`,
    `nothing_windowed`.`a`
HAVING COUNT(1) = 4L

with a as (select 1), b(x,y) as (select 2, 3) select * from a, b order by x
==== becomes
WITH a AS (
    SELECT 1
),

b(x, y) AS (
    SELECT 2, 3
)

SELECT *
FROM a, b
ORDER BY x

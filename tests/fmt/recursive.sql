with recursive r(n) as (select 1 union all select n+1 from r where n<5) select * from r
==== becomes
WITH RECURSIVE r(n) AS (
    SELECT 1
    UNION ALL
    SELECT n + 1
    FROM r
    WHERE n < 5
)

SELECT *
FROM r

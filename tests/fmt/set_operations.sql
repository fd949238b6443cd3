select 1 union all select 2 except select 3; (select 1) union (select 2) order by 1; select 1 intersect all (select 2)
==== becomes
SELECT 1
UNION ALL
SELECT 2
EXCEPT
SELECT 3;

(
    SELECT 1
) UNION (
    SELECT 2
)
ORDER BY 1;

SELECT 1
INTERSECT ALL
(
    SELECT 2
)

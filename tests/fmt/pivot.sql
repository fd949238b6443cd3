select * from t pivot (sum(a) as s, max(b) for c in ('x' as x, 'y')) as p
==== becomes
SELECT *
FROM t
PIVOT (
    sum(a) AS s, max(b)
    FOR c IN ('x' AS x, 'y')
) AS p

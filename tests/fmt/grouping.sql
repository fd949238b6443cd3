select a from t group by a,b with rollup; select a from t group by grouping sets ((a,b),(a),()), cube(a) having count(*)>1; select a from t group by all
==== becomes
SELECT a
FROM t
GROUP BY a, b WITH ROLLUP;

SELECT a
FROM t
GROUP BY GROUPING SETS ((a, b), (a), ()), cube(a)
HAVING count(*) > 1;

SELECT a
FROM t
GROUP BY ALL

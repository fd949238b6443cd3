select * from t order by a desc nulls last, b limit 10 offset 5; select * from t sort by a; select * from t distribute by a; select * from t cluster by a; select * from t order by all
==== becomes
SELECT *
FROM t
ORDER BY a DESC NULLS LAST, b
LIMIT 10
OFFSET 5;

SELECT *
FROM t
SORT BY a;

SELECT *
FROM t
DISTRIBUTE BY a;

SELECT *
FROM t
CLUSTER BY a;

SELECT *
FROM t
ORDER BY ALL

select * from t tablesample (10 percent) repeatable (3), u tablesample (bucket 1 out of 4)
==== becomes
SELECT *
FROM t TABLESAMPLE (10 PERCENT) REPEATABLE (3), u TABLESAMPLE (BUCKET 1 OUT OF 4)

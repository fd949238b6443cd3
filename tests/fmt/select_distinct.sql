select distinct a from t
==== becomes
SELECT DISTINCT a
FROM t

select a,b , c from t
==== becomes
SELECT a, b, c
FROM t

select a, b from t where a = 1 and b in (1, 2)
==== becomes, width 10
SELECT a, b
FROM t
WHERE a = 1 AND b IN (1, 2)

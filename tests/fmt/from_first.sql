from t select a where b
==== becomes
FROM t
SELECT a
WHERE b

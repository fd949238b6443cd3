select a from t qualify row_number() over (order by a) = 1
==== becomes
SELECT a
FROM t
QUALIFY row_number() OVER (ORDER BY a) = 1

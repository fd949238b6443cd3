select * from a, b as x, lateral f(x) as y where a.k = x.k
==== becomes
SELECT *
FROM a, b AS x, LATERAL f(x) AS y
WHERE a.k = x.k

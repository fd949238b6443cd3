select listagg(a,',') within group (order by b), count(*) filter (where a>1), first(a) ignore nulls from t
==== becomes
SELECT
    listagg(a, ',') WITHIN GROUP (ORDER BY b),
    count(*) FILTER (WHERE a > 1),
    first(a) IGNORE NULLS
FROM t

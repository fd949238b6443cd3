select * from t unpivot include nulls (v for n in (a as x, b)); select * from t unpivot ((v,w) for n in ((a,b) as x,(c,d)))
==== becomes
SELECT *
FROM t
UNPIVOT INCLUDE NULLS (
    v FOR n IN (a AS x, b)
);

SELECT *
FROM t
UNPIVOT (
    (v, w) FOR n IN ((a, b) AS x, (c, d))
)

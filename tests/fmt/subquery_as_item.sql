select a, (select max(b) from u) as m from t
==== becomes
SELECT
    a,
    (
        SELECT max(b)
        FROM u
    ) AS m
FROM t

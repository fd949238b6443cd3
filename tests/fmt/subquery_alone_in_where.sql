select * from t where exists (select 1 from u where u.k = t.k)
==== becomes
SELECT *
FROM t
WHERE EXISTS (
    SELECT 1
    FROM u
    WHERE u.k = t.k
)

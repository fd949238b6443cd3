select * from t inner join lateral explode(a) as e(x), lateral (select 1) lateral view outer explode(b) v as c, d
==== becomes
SELECT *
FROM
    t
    INNER JOIN LATERAL explode(a) AS e(x),
    LATERAL (
        SELECT 1
    )
LATERAL VIEW OUTER explode(b) v AS c, d

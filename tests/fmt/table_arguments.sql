select * from f(input => table(t) as a partition by (k) order by ts, x => 1), table(g(1)) as s; select * from f(table(select 1 as a))
==== becomes
SELECT *
FROM f(input => TABLE(t) AS a PARTITION BY (k) ORDER BY ts, x => 1), TABLE(g(1)) AS s;

SELECT *
FROM f(
    TABLE(
        SELECT 1 AS a
    )
)

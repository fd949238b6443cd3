select * from f(input => (select 1 as k) partition by (k) order by (k desc, j nulls last), on_time => descriptor(ts), uid => 'u'); select * from f(table a partition by k, table(b) as c partition by k, copartition (a, c)) as s where k > 1
==== becomes
SELECT *
FROM f(
    input => (
        SELECT 1 AS k
    ) PARTITION BY (k) ORDER BY (k DESC, j NULLS LAST),
    on_time => descriptor(ts),
    uid => 'u'
);

SELECT *
FROM f(TABLE a PARTITION BY k, TABLE(b) AS c PARTITION BY k, COPARTITION (a, c)) AS s
WHERE k > 1

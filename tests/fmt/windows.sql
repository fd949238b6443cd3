select sum(a) over w, rank() over (partition by a,b order by c desc nulls last), sum(a) over (partition by a order by b rows between unbounded preceding and current row) as running from t window w as (partition by a)
==== becomes, width 70
SELECT
    sum(a) OVER w,
    rank() OVER (PARTITION BY a, b ORDER BY c DESC NULLS LAST),
    sum(a) OVER (
        PARTITION BY a
        ORDER BY b
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS running
FROM t
WINDOW w AS (PARTITION BY a)

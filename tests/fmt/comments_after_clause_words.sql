select -- what
 a, b from -- where from
 t where -- which
 a = 1 and b group by -- by what
 a
==== becomes
SELECT -- what
    a,
    b
FROM -- where from
    t
WHERE -- which
    a = 1 AND b
GROUP BY -- by what
    a

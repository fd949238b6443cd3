select a.b.c, a [1] , m['k'].x, j:a.b[0]::int, array[1,2], (1,2), r.*, * except (a, b) from t
==== becomes
SELECT a.b.c, a[1], m['k'].x, j:a.b[0]::INT, array[1, 2], (1, 2), r.*, * EXCEPT (a, b)
FROM t

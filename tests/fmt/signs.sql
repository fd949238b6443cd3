select -a, - -1, -(-1), +b, ~c, not d, ! e from t
==== becomes
SELECT -a, - -1, -(-1), +b, ~c, NOT d, !e
FROM t

SELECT MAX ( ts /* nested comment quite */ ) OVER ( PARTITION BY session_0 ) + INTERVAL '7' MINUTE AS window_end FROM t
==== becomes, width 40
SELECT
    MAX(
        ts /* nested comment quite */
    ) OVER (PARTITION BY session_0)
        + INTERVAL '7' MINUTE AS window_end
FROM t

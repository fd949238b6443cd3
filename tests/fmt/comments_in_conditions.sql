select * from t where a -- first
 and b -- second
 or (c -- third
 and d)
-- last
==== becomes
SELECT *
FROM t
WHERE a -- first
    AND b -- second
    OR (
        c -- third
        AND d
    )
-- last

-- head
select a, -- about a
 b -- about b
, c -- about c
from t -- about t
-- before where
where x -- about x
and y -- about y
; -- end
-- tail
==== becomes
-- head
SELECT
    a, -- about a
    b, -- about b
    c -- about c
FROM t -- about t
-- before where
WHERE x -- about x
    AND y; -- about y
-- end
-- tail

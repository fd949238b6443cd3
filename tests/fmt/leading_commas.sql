select a
     , b -- about b
     -- before c
     , c
  from t
==== becomes
SELECT
    a,
    b, -- about b
    -- before c
    c
FROM t

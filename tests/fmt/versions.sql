select * from t version as of 3, u timestamp as of '2020-01-01'
==== becomes
SELECT *
FROM t VERSION AS OF 3, u TIMESTAMP AS OF '2020-01-01'

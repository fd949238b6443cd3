select a /*+ no hint here */ from t
==== becomes
SELECT a /*+ no hint here */
FROM t

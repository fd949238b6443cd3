select extract(year from d), trim(both 'x' from s), substring(s from 1 for 2), overlay(s placing 'x' from 2), position('a' in b), floor(t to day) from t
==== becomes, width 200
SELECT EXTRACT(year FROM d), TRIM(BOTH 'x' FROM s), SUBSTRING(s FROM 1 FOR 2), OVERLAY(s PLACING 'x' FROM 2), position('a' IN b), FLOOR(t TO day)
FROM t

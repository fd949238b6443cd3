use d; show tables in a like 'x*';

drop view if exists v; describe query select 1; explain extended select a from t
==== becomes
USE d;
SHOW TABLES IN a LIKE 'x*';

DROP VIEW IF EXISTS v;

DESCRIBE QUERY
SELECT 1;

EXPLAIN EXTENDED
SELECT a
FROM t

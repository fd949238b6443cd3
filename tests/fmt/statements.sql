use d; show tables in a like 'x*';

drop view if exists v; describe query select 1; explain extended select a from t;

alter table t add columns (a int comment 'x' first, b string after a); alter table t modify (a bigint not null)
==== becomes
USE d;
SHOW TABLES IN a LIKE 'x*';

DROP VIEW IF EXISTS v;

DESCRIBE QUERY
SELECT 1;

EXPLAIN EXTENDED
SELECT a
FROM t;

ALTER TABLE t ADD COLUMNS (a INT COMMENT 'x' FIRST, b STRING AFTER a);
ALTER TABLE t MODIFY (a BIGINT NOT NULL)

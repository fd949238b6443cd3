create or replace temporary view v as select a from t; create view w (a comment 'first', b) comment 'about w' tblproperties ('k'='v') as with x as (select 1) select * from x
==== becomes
CREATE OR REPLACE TEMPORARY VIEW v AS
SELECT a
FROM t;

CREATE VIEW w (a COMMENT 'first', b) COMMENT 'about w' TBLPROPERTIES ('k' = 'v') AS
WITH x AS (
    SELECT 1
)

SELECT *
FROM x

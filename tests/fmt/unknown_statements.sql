create table  t (   
  a INT,  -- key  
  b string  ) using parquet  ;
select a from t;merge into t using s on t.a=s.a when matched then delete; set x.y = 1
==== becomes
create table  t (
  a INT,  -- key
  b string  ) using parquet;

SELECT a
FROM t;

merge into t using s on t.a=s.a when matched then delete;
set x.y = 1

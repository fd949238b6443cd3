call  archive (   
  a => 1,  -- key  
  b => 'x'  )  ;
select a from t;merge into t using s on t.a=s.a when matched then delete; set x.y = 1
==== becomes
call  archive (
  a => 1,  -- key
  b => 'x'  );

SELECT a
FROM t;

MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE;
set x.y = 1

create table if not exists x.t (   
  a int not null comment 'the key',  -- key  
  b as a + 1, primary key (a) not enforced) partitioned by (a) with ('connector'='filesystem', 'path'='/tmp/x')  ;
create table u (a int) using parquet
==== becomes
CREATE TABLE IF NOT EXISTS x.t (
    a INT NOT NULL COMMENT 'the key', -- key
    b AS a + 1,
    PRIMARY KEY (a) NOT ENFORCED
) PARTITIONED BY (a) WITH ('connector' = 'filesystem', 'path' = '/tmp/x');

CREATE TABLE u (a INT) USING parquet

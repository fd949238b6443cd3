create table if not exists x.t (   
  a int not null comment 'the key',  -- key  
  b as a + 1, primary key (a) not enforced) partitioned by (a) with ('connector'='filesystem', 'path'='/tmp/x')  ;
create table u (a int) using parquet;
replace table v using parquet partitioned by (year_of_the_order, country_of_the_customer) location '/warehouse/sales/orders' comment 'about v' as select a, b from u
==== becomes
CREATE TABLE IF NOT EXISTS x.t (
    a INT NOT NULL COMMENT 'the key', -- key
    b AS a + 1,
    PRIMARY KEY (a) NOT ENFORCED
)
PARTITIONED BY (a)
WITH ('connector' = 'filesystem', 'path' = '/tmp/x');

CREATE TABLE u (a INT) USING parquet;

REPLACE TABLE v
USING parquet
PARTITIONED BY (year_of_the_order, country_of_the_customer)
LOCATION '/warehouse/sales/orders'
COMMENT 'about v'
AS
SELECT a, b
FROM u

CREATE TABLE readings (sensor STRING, degrees DOUBLE, at TIMESTAMP(3), WATERMARK FOR at AS at - INTERVAL '5' SECOND)
  PARTITIONED BY (sensor) WITH ('connector' = 'filesystem', 'path' = '/data/readings', 'format' = 'json');
CREATE TABLE readings (sensor STRING NOT NULL, degrees DOUBLE COMMENT 'Celsius', PRIMARY KEY (sensor) NOT ENFORCED)
  COMMENT 'one row a sensor'
  WITH ('connector' = 'jdbc', 'url' = 'jdbc:postgresql://host:5432/db', 'table-name' = 'readings', 'username' = 'me');
CREATE TABLE readings (sensor STRING, degrees DOUBLE, fahrenheit AS degrees * 1.8e0 + 32e0 COMMENT 'computed',
  arrived TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL, offs BIGINT METADATA,
  CONSTRAINT pk PRIMARY KEY (sensor) NOT ENFORCED, WATERMARK FOR arrived AS arrived)
  WITH ('connector' = 'kafka', 'topic' = 'readings', 'properties.bootstrap.servers' = 'host:9092', 'format' = 'avro');
CREATE TEMPORARY TABLE IF NOT EXISTS lines (a INT, b STRING)
  WITH ('connector' = 'filesystem', 'path' = '/data/lines', 'format' = 'csv', 'csv.field-delimiter' = ';', 'csv.header' = 'true');
CREATE TABLE lines (a INT, b STRING)
  WITH ('connector' = 'filesystem', 'path' = '/data/lines', 'format' = 'csv', 'csv.field-delimiter' = ';', 'csv.quote-character' = '''');
CREATE TABLE lines (a INT) WITH ('connector' = 'filesystem', 'path' = '/data/lines', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true');
CREATE TABLE rows_of (id BIGINT, v STRING) DISTRIBUTED BY HASH (id) INTO 6 BUCKETS WITH ('connector' = 'kafka', 'topic' = 't');
CREATE TABLE rows_of (id BIGINT, v STRING) DISTRIBUTED BY (id) WITH ('connector' = 'kafka', 'topic' = 't');
CREATE TABLE rows_of (id BIGINT, v STRING) DISTRIBUTED INTO 6 BUCKETS WITH ('connector' = 'kafka', 'topic' = 't');
CREATE TABLE copy WITH ('connector' = 'kafka', 'topic' = 'copy') LIKE orders (EXCLUDING OPTIONS INCLUDING GENERATED OVERWRITING WATERMARKS);
CREATE TABLE copy (extra INT) LIKE orders;
CREATE TABLE big WITH ('connector' = 'filesystem', 'path' = '/data/big', 'format' = 'orc') AS SELECT id, amount FROM orders;
CREATE OR REPLACE TABLE big WITH ('connector' = 'kafka', 'topic' = 'big') AS SELECT id FROM orders;

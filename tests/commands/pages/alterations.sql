-- tree: runs
ALTER TABLE goods RENAME TO purchases;
-- tree: runs
ALTER TABLE sales.purchases RENAME TO sales.goods;
-- tree: runs
ALTER TABLE visits ADD PARTITION (day = '2026-01-01', country = 'DE');
-- tree: runs
ALTER TABLE visits PARTITION (day = '2026-01-01', country = 'DE') RENAME TO PARTITION (day = '2026-01-02', country = 'DE');
-- tree: runs
ALTER TABLE visits ADD IF NOT EXISTS PARTITION (day = '2026-01-02', country = 'DE');
-- tree: runs
ALTER TABLE visits ADD PARTITION (day = '2026-03-10', country = 'DE') LOCATION '/data/2026-03-10/';
-- tree: runs
ALTER TABLE visits ADD PARTITION (day = '2026-03-11', country = 'DE') PARTITION (day = '2026-03-12', country = 'DE') PARTITION (day = '2026-03-13', country = 'DE');
-- tree: runs
ALTER TABLE visits PARTITION (day = '2026-03-11', country = 'DE') SET LOCATION '/data/2026-03-11';
-- tree: runs
ALTER TABLE visits DROP PARTITION (day = '2026-03-13', country = 'DE');
-- tree: runs
ALTER TABLE visits DROP IF EXISTS PARTITION (day = '2026-03-13', country = 'DE'), PARTITION (day = '2026-03-12') PURGE;
-- tree: runs
ALTER TABLE visits RECOVER PARTITIONS;
-- tree: runs
ALTER TABLE goods ADD COLUMNS (last_name STRING, born TIMESTAMP);
-- tree: runs
ALTER TABLE goods ADD COLUMN (note STRING COMMENT 'free text');
-- tree: runs
ALTER TABLE goods ADD COLUMNS (first_one STRING FIRST, behind INT AFTER id);
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods ADD COLUMN address.zip STRING;
-- tree: runs
ALTER TABLE goods ADD COLUMN state STRING DEFAULT 'new';
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods DROP COLUMN tags;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods DROP COLUMNS (tags, day);
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods DROP COLUMN IF EXISTS nothing;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods RENAME COLUMN customer TO buyer;
-- tree: runs
ALTER TABLE goods ALTER COLUMN customer COMMENT 'who bought';
-- tree: runs
ALTER TABLE goods CHANGE COLUMN customer COMMENT 'who has bought';
-- tree: fails NOT_SUPPORTED_CHANGE_COLUMN
ALTER TABLE goods CHANGE COLUMN amount amount DECIMAL(12, 2) COMMENT 'in euros';
-- tree: fails NOT_SUPPORTED_CHANGE_COLUMN
ALTER TABLE goods ALTER COLUMN amount TYPE DECIMAL(12, 2);
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods ALTER COLUMN amount TYPE DECIMAL(12, 2), customer COMMENT 'who', day FIRST;
-- tree: runs
ALTER TABLE goods ALTER COLUMN customer SET DEFAULT 'nobody';
-- tree: runs
ALTER TABLE goods ALTER COLUMN customer DROP DEFAULT;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods ALTER COLUMN day AFTER id;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods ALTER COLUMN id DROP NOT NULL;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods REPLACE COLUMNS (id BIGINT, total INT COMMENT 'in euros');
-- tree: fails UNSUPPORTED_FEATURE.ALTER_TABLE_SERDE_FOR_DATASOURCE_TABLE
ALTER TABLE goods SET SERDE 'org.example.Columnar';
-- tree: fails UNSUPPORTED_FEATURE.ALTER_TABLE_SERDE_FOR_DATASOURCE_TABLE
ALTER TABLE sales.goods SET SERDE 'org.example' WITH SERDEPROPERTIES ('a' = 'b', 'c' = 'd');
-- tree: runs
ALTER TABLE goods SET SERDEPROPERTIES ('field.delim' = ',');
-- tree: runs
ALTER TABLE sales.goods SET TBLPROPERTIES ('winner' = 'loser');
-- tree: runs
ALTER TABLE goods SET TBLPROPERTIES ('comment' = 'each purchase', 'team.mail' = "s@x.org");
-- tree: runs
ALTER TABLE goods UNSET TBLPROPERTIES ('winner');
-- tree: runs
ALTER TABLE goods UNSET TBLPROPERTIES IF EXISTS ('winner', 'nothing');
-- tree: runs
ALTER TABLE customers SET LOCATION '/data/customers';
-- tree: runs
ALTER TABLE goods CLUSTER BY (day);
-- tree: runs
ALTER TABLE goods CLUSTER BY NONE;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods ADD CONSTRAINT positive CHECK (amount > 0);
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
ALTER TABLE goods DROP CONSTRAINT IF EXISTS positive;
-- tree: runs
ALTER TABLE goods DEFAULT COLLATION UNICODE;
-- tree: runs
COMMENT ON TABLE goods IS 'each purchase';
-- tree: runs
COMMENT ON TABLE sales.goods IS NULL;
-- tree: runs
MSCK REPAIR TABLE visits;
-- tree: runs
MSCK REPAIR TABLE visits ADD PARTITIONS;
-- tree: runs
REPAIR TABLE visits SYNC PARTITIONS;
-- tree: runs
REPAIR TABLE visits DROP PARTITIONS;
-- tree: runs
ANALYZE TABLE goods COMPUTE STATISTICS;
-- tree: runs
ANALYZE TABLE sales.goods COMPUTE STATISTICS NOSCAN;
-- tree: runs
ANALYZE TABLE goods COMPUTE STATISTICS FOR COLUMNS id, customer;
-- tree: runs
ANALYZE TABLE customers COMPUTE STATISTICS FOR ALL COLUMNS;
-- tree: runs
ANALYZE TABLE visits PARTITION (day = '2026-01-02') COMPUTE STATISTICS;
-- tree: runs
ANALYZE TABLE visits PARTITION (day, country) COMPUTE STATISTICS NOSCAN;
-- tree: runs
ANALYZE TABLES IN sales COMPUTE STATISTICS NOSCAN;
-- tree: runs
ANALYZE TABLES COMPUTE STATISTICS NOSCAN;
-- tree: runs
CACHE TABLE orders;
-- tree: runs
CACHE LAZY TABLE customers OPTIONS ('storageLevel' = 'DISK_ONLY');
-- tree: runs
CACHE TABLE busy OPTIONS ('storageLevel' = 'MEMORY_ONLY') SELECT id FROM orders;
-- tree: runs
CACHE LAZY TABLE idle AS SELECT id FROM orders WHERE amount IS NULL;
-- tree: runs
UNCACHE TABLE orders;
-- tree: runs
UNCACHE TABLE IF EXISTS sales.nothing;
-- tree: runs
CLEAR CACHE;
-- tree: runs
REFRESH TABLE orders;
-- tree: runs
REFRESH TABLE sales.orders;
-- tree: runs
REFRESH '/data';
-- tree: runs
TRUNCATE TABLE visits PARTITION (day = '2026-01-02', country = 'DE');
-- tree: runs
TRUNCATE TABLE visits PARTITION (country = 'DE');
-- tree: runs
TRUNCATE TABLE customers;

-- tree: runs
INSERT INTO customers VALUES (1, 'Amy', 'US');
-- tree: runs
INSERT INTO TABLE customers VALUES (2, 'Bob', 'US'), (3, 'Cathy', 'US');
-- tree: runs
INSERT INTO customers (country, name, id) VALUES ('CN', 'Kent', 11);
-- tree: runs
INSERT INTO customers (id, name) VALUES (12, DEFAULT);
-- tree: runs
INSERT INTO customers SELECT id, customer, 'DE' FROM updates WHERE customer = "Dora";
-- tree: runs
INSERT INTO customers BY NAME SELECT 'IT' AS country, 'Eva' AS name, 13L AS id;
-- tree: runs
INSERT INTO orders TABLE updates;
-- tree: runs
INSERT INTO orders FROM updates SELECT * WHERE amount > 1;
-- tree: runs
INSERT INTO orders (id, amount) SELECT id, amount FROM updates UNION ALL SELECT id, NULL FROM customers;
-- tree: runs
INSERT INTO orders WITH newest AS (SELECT id, max(amount) AS amount FROM updates GROUP BY id) SELECT u.* FROM updates AS u JOIN newest AS n ON u.id = n.id AND u.amount = n.amount;
-- tree: runs
WITH newest AS (SELECT * FROM updates WHERE id > 2) INSERT INTO orders SELECT * FROM newest;
-- tree: runs
INSERT INTO visits VALUES (1, 'a', DATE '2026-02-01', 'DE');
-- tree: runs
INSERT INTO visits PARTITION (day = date'2026-02-01', country = 'US') SELECT id, customer FROM updates;
-- tree: runs
INSERT INTO visits PARTITION (day = date'2026-02-01', country = 'US') (page, id) VALUES ('a', 11);
-- tree: runs
INSERT INTO visits PARTITION (day = date'2026-02-01', country) SELECT id, customer, 'FR' FROM updates;
-- tree: fails
INSERT INTO visits PARTITION (country = 'US') BY NAME SELECT id, DATE '2026-02-02' AS day FROM updates;
-- tree: runs
INSERT INTO orders WITH ('compression' = 'none') SELECT * FROM updates;
-- tree: runs
INSERT INTO visits WITH ('maxRecordsPerFile' = '100', compression = 'none') PARTITION (day = '2026-02-01', country = 'US') SELECT id, customer FROM updates;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
INSERT INTO orders REPLACE WHERE id = 123456789 SELECT * FROM updates;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
INSERT INTO customers (id, name) REPLACE WHERE id > 3 SELECT id, customer FROM updates WHERE customer IS NOT NULL;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
INSERT INTO orders REPLACE USING (id) SELECT * FROM updates;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
INSERT INTO orders BY NAME REPLACE USING (id, day) TABLE updates;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
INSERT INTO orders AS o REPLACE ON o.id = u.id (SELECT * FROM updates) AS u;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
INSERT INTO orders AS o REPLACE ON o.id <=> u.id AND o.day > u.day (SELECT * FROM updates WHERE amount > 0) AS u;
-- tree: fails UNSUPPORTED_INSERT_WITH_SCHEMA_EVOLUTION
INSERT WITH SCHEMA EVOLUTION INTO customers SELECT id, customer, 'DE', amount FROM updates;
-- tree: runs
INSERT OVERWRITE customers VALUES (1, 'Amy', 'US'), (2, 'Brian', 'US');
-- tree: runs
INSERT OVERWRITE TABLE customers (country, name, id) VALUES ('CN', 'Kent', 11);
-- tree: runs
INSERT OVERWRITE customers SELECT id, customer, 'DE' FROM updates WHERE customer IS NOT NULL;
-- tree: runs
INSERT OVERWRITE orders TABLE updates;
-- tree: runs
INSERT OVERWRITE orders FROM updates SELECT * WHERE amount > 1;
-- tree: runs
INSERT OVERWRITE customers BY NAME SELECT 'unknown' AS name, id FROM updates;
-- tree: runs
INSERT OVERWRITE visits PARTITION (day = date'2026-02-01', country = 'US') SELECT id, customer FROM updates;
-- tree: runs
INSERT OVERWRITE visits PARTITION (day = date'2026-02-01', country = 'US') (page, id) VALUES ('a', 11);
-- tree: runs
INSERT OVERWRITE visits PARTITION (day = date'2026-02-01', country) SELECT id, customer, 'FR' FROM updates;
-- tree: runs
INSERT OVERWRITE visits PARTITION (day = date'2026-02-01', country = 'US') IF NOT EXISTS SELECT id, customer FROM updates;
-- tree: runs
INSERT OVERWRITE visits PARTITION (day = date'2026-02-01', country = 'US') BY NAME SELECT 'unknown' AS page, id FROM updates;
-- tree: runs
INSERT OVERWRITE visits WITH ('partitionOverwriteMode' = 'dynamic') SELECT id, customer, day, 'DE' FROM updates;
-- tree: runs
FROM updates INSERT INTO orders SELECT * INSERT INTO customers SELECT id, customer, 'DE' WHERE customer IS NOT NULL;
-- tree: runs
FROM updates AS u JOIN visits AS v ON u.id = v.id INSERT INTO customers SELECT u.id, v.page, v.country WHERE v.page IS NOT NULL INSERT OVERWRITE TABLE orders (id, amount) SELECT u.id, max(u.amount) GROUP BY u.id HAVING max(u.amount) > 0;
-- tree: runs
FROM (SELECT * FROM updates WHERE amount > 1) AS big INSERT INTO orders SELECT * INSERT INTO visits PARTITION (day = '2026-02-01', country = 'US') SELECT id, customer ORDER BY id LIMIT 3;
-- tree: runs
FROM updates LATERAL VIEW explode(tags) AS tag INSERT INTO customers SELECT id, tag, 'DE' WHERE tag IS NOT NULL INSERT INTO visits SELECT id, tag, day, 'DE';
-- tree: runs
WITH big AS (SELECT * FROM updates WHERE amount > 1) FROM big INSERT INTO orders SELECT * INSERT OVERWRITE DIRECTORY '/data/big' USING parquet SELECT id, amount;
-- tree: runs
FROM updates INSERT OVERWRITE customers SELECT DISTINCT id, customer, 'DE' WHERE customer IS NOT NULL;
-- tree: runs
INSERT OVERWRITE DIRECTORY '/data/destination' USING parquet OPTIONS (compression 'none', parquet.page.size 1048576) SELECT id, customer FROM orders;
-- tree: runs
INSERT OVERWRITE DIRECTORY USING parquet OPTIONS ('path' '/data/destination', compression 'none') SELECT id FROM orders;
-- tree: runs
INSERT OVERWRITE DIRECTORY USING json OPTIONS ('path' = '/data/destination') SELECT id, customer FROM orders;
-- tree: runs
INSERT OVERWRITE LOCAL DIRECTORY '/data/local' USING csv OPTIONS (header true) TABLE customers;
-- tree: runs
INSERT OVERWRITE LOCAL DIRECTORY '/data/local' STORED AS orc SELECT id, customer FROM orders;
-- tree: runs
INSERT OVERWRITE LOCAL DIRECTORY '/data/local' ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' SELECT id, customer FROM orders;
-- tree: runs
LOAD DATA LOCAL INPATH '/data/load/lines.txt' INTO TABLE lines;
-- tree: runs
LOAD DATA LOCAL INPATH '/data/load/lines.txt' OVERWRITE INTO TABLE lines;
-- tree: fails LOAD_DATA_PATH_NOT_EXISTS
LOAD DATA INPATH '/data/nothing' INTO TABLE lines;
-- tree: runs
LOAD DATA LOCAL INPATH '/data/load/lines.txt' INTO TABLE lines_by_day PARTITION (day = '2026-02-01');
-- tree: fails _LEGACY_ERROR_TEMP_1261
LOAD DATA LOCAL INPATH '/data/load/lines.txt' OVERWRITE INTO TABLE visits PARTITION (day = '2026-02-01', country = 'DE');
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
UPDATE orders SET customer = 'x', amount = 3.5 WHERE id > 7;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
UPDATE orders AS o SET o.amount = o.amount + 1, day = DEFAULT;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
DELETE FROM orders WHERE id IN (SELECT id FROM updates WHERE amount IS NULL);
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
DELETE FROM orders AS o WHERE o.amount < 0;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
MERGE INTO orders AS t USING updates AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
MERGE INTO orders USING (SELECT * FROM updates WHERE amount > 0) AS s ON orders.id = s.id WHEN MATCHED AND s.amount = 1 THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET amount = 0;
-- tree: fails UNSUPPORTED_FEATURE.TABLE_OPERATION
MERGE WITH SCHEMA EVOLUTION INTO orders USING updates ON orders.id = updates.id WHEN NOT MATCHED THEN INSERT *;

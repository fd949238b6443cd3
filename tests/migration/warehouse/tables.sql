-- Base tables of the retailer "Fernwright": shops, web shop, deliveries, finance, support.
SET spark.sql.session.timeZone=UTC;

CREATE DATABASE IF NOT EXISTS shop COMMENT 'Orders, customers and products';
CREATE DATABASE IF NOT EXISTS logistics COMMENT 'Warehouses and deliveries';
CREATE DATABASE IF NOT EXISTS web COMMENT 'Clicks and sessions of the web shop';
CREATE DATABASE IF NOT EXISTS finance COMMENT 'Payments and the ledger';
CREATE DATABASE IF NOT EXISTS support COMMENT 'Tickets';
CREATE DATABASE IF NOT EXISTS mart COMMENT 'Views for reports; few tables';

-- ---------------------------------------------------------------------------------------------------------- shop

CREATE TABLE shop.stores (
  store_id INT,
  code STRING,
  city STRING,
  country STRING,
  opened_on DATE,
  closed_on DATE COMMENT 'NULL: still open',
  opening_hours MAP<STRING, STRING> COMMENT 'day of the week to hours',
  geo STRUCT<lat: DOUBLE, lon: DOUBLE>,
  is_franchise BOOLEAN
) USING parquet;

INSERT INTO shop.stores VALUES
  (1, 'BER1', 'Berlin', 'DE', DATE'2016-03-01', NULL, map('mon', '10-20', 'sat', '10-18'), named_struct('lat', 52.5D, 'lon', 13.25D), false),
  (2, 'HAM1', 'Hamburg', 'DE', DATE'2017-09-15', NULL, map('mon', '10-19', 'sat', '09-18'), named_struct('lat', 53.5D, 'lon', 10.0D), false),
  (3, 'VIE1', 'Wien', 'AT', DATE'2018-05-05', NULL, map('mon', '09-19'), named_struct('lat', 48.25D, 'lon', 16.5D), true),
  (4, 'ZRH1', 'Zürich', 'CH', DATE'2019-11-20', DATE'2023-06-30', map(), named_struct('lat', 47.5D, 'lon', 8.5D), true),
  (5, 'AMS1', 'Amsterdam', 'NL', DATE'2022-04-01', NULL, NULL, NULL, false);

CREATE TABLE shop.customers (
  customer_id BIGINT COMMENT 'never reused',
  first_name STRING,
  last_name STRING,
  email STRING COMMENT 'as typed, not normalised',
  birth_date DATE,
  signed_up_at TIMESTAMP,
  country STRING,
  segment STRING,
  is_business BOOLEAN,
  tags ARRAY<STRING>,
  address STRUCT<street: STRING, zip: STRING, city: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>>,
  preferences MAP<STRING, STRING>,
  referrer_id BIGINT COMMENT 'the customer who recommended us'
) USING parquet;

INSERT INTO shop.customers VALUES
  (1, 'Ada', 'Lorenz', 'ada.lorenz@example.org', DATE'1981-02-14', TIMESTAMP'2021-01-05 08:30:00', 'DE', 'gold', false, array('newsletter', 'vip'), named_struct('street', 'Lindenweg 4', 'zip', '10115', 'city', 'Berlin', 'geo', named_struct('lat', 52.5D, 'lon', 13.5D)), map('lang', 'de', 'paper', 'no'), NULL),
  (2, 'Bram', 'de Wit', 'BRAM@Example.NET ', DATE'1990-07-01', TIMESTAMP'2021-02-11 19:05:00', 'NL', 'silver', false, array('newsletter'), named_struct('street', 'Kade 12', 'zip', '1012AB', 'city', 'Amsterdam', 'geo', named_struct('lat', 52.25D, 'lon', 4.75D)), map('lang', 'nl'), 1),
  (3, 'Chiara', 'Rossi', 'chiara@example.it', DATE'1975-12-31', TIMESTAMP'2021-06-30 22:59:59', 'IT', 'bronze', false, array(), named_struct('street', 'Via Verde 1', 'zip', '20121', 'city', 'Milano', 'geo', NULL), map(), 1),
  (4, 'Dilan', 'Kaya', NULL, NULL, TIMESTAMP'2021-08-15 12:00:00', 'DE', NULL, false, NULL, named_struct('street', 'Hafenstr. 77', 'zip', '20457', 'city', 'Hamburg', 'geo', named_struct('lat', 53.5D, 'lon', 10.0D)), NULL, 2),
  (5, 'Gartenbau', 'Huber KG', 'einkauf@huber.example', NULL, TIMESTAMP'2022-01-10 07:00:00', 'AT', 'gold', true, array('invoice', 'wholesale', 'vip'), named_struct('street', 'Am Graben 9', 'zip', '1010', 'city', 'Wien', 'geo', named_struct('lat', 48.25D, 'lon', 16.25D)), map('lang', 'de', 'paper', 'yes'), NULL),
  (6, 'Eve', 'Martin', 'eve.martin@example.fr', DATE'1999-03-08', TIMESTAMP'2022-03-27 01:30:00', 'FR', 'silver', false, array('newsletter', 'student'), NULL, map('lang', 'fr'), 3),
  (7, 'Finn', 'Olsen', 'finn.olsen@example.dk', DATE'1988-10-10', TIMESTAMP'2022-10-30 00:30:00', 'DK', 'bronze', false, array('vip'), named_struct('street', 'Havnevej 3', 'zip', '8000', 'city', 'Aarhus', 'geo', NULL), map('lang', 'da', 'dark', 'yes'), 1),
  (8, 'Grünhof', 'GmbH', 'bestellung@gruenhof.example', NULL, TIMESTAMP'2022-11-11 11:11:11', 'DE', 'gold', true, array('wholesale', 'invoice'), named_struct('street', 'Ring 100', 'zip', '80331', 'city', 'München', 'geo', named_struct('lat', 48.0D, 'lon', 11.5D)), map('lang', 'de'), 5),
  (9, 'Hana', 'Novák', 'hana.novak@example.cz', DATE'1964-01-20', TIMESTAMP'2023-02-28 16:45:00', 'CZ', 'bronze', false, array('newsletter', NULL), named_struct('street', NULL, 'zip', '11000', 'city', 'Praha', 'geo', NULL), map('lang', 'cs'), NULL),
  (10, 'Ines', 'Weber', 'ada.lorenz@example.org', DATE'1981-02-14', TIMESTAMP'2023-04-01 09:00:00', 'DE', 'bronze', false, array(), named_struct('street', 'Lindenweg 4', 'zip', '10115', 'city', 'Berlin', 'geo', NULL), map(), 2),
  (11, 'Jo', 'Ó Briain', 'jo@example.ie', DATE'2001-05-05', TIMESTAMP'2023-09-09 09:09:09', 'IE', 'silver', NULL, array('student'), named_struct('street', 'Quay 5', 'zip', NULL, 'city', 'Cork', 'geo', NULL), map('lang', 'en', 'dark', 'no'), 6),
  (12, 'Kai', 'Brandt', 'kai at example', DATE'1993-09-30', TIMESTAMP'2024-01-01 00:00:00', 'DE', NULL, false, array('newsletter', 'vip'), NULL, NULL, NULL);

CREATE TABLE shop.categories (category_id INT, parent_id INT, name STRING, sort_key SMALLINT) USING parquet;

INSERT INTO shop.categories VALUES
  (1, NULL, 'Everything', 0), (10, 1, 'Garden', 10), (20, 1, 'House', 20), (30, 1, 'Outdoor', 30), (11, 10, 'Tools', 11),
  (12, 10, 'Seeds', 12), (21, 20, 'Kitchen', 21), (31, 30, 'Tents', 31), (32, 30, 'Stoves', NULL), (111, 11, 'Shears', 1),
  (112, 11, 'Spades', 2), (99, 98, 'Orphan', NULL);

CREATE TABLE shop.products (
  product_id INT,
  sku STRING COMMENT 'family-colour-size',
  name STRING,
  category_id INT,
  list_price DECIMAL(10, 2),
  unit_cost DECIMAL(10, 4),
  weight_kg DOUBLE,
  attributes STRING COMMENT 'JSON of the supplier',
  variants ARRAY<STRUCT<color: STRING, size: STRING, stock: INT>>,
  active BOOLEAN,
  thumbnail BINARY,
  launched DATE
) USING parquet;

INSERT INTO shop.products VALUES
  (100, 'SHR-GRN-M', 'Hedge Shears', 111, 39.90, 17.2500, 1.25, '{"material":"steel","warranty":{"years":5},"colors":["green","black"]}', array(named_struct('color', 'green', 'size', 'M', 'stock', 12), named_struct('color', 'black', 'size', 'L', 'stock', 0)), true, X'89504E47', DATE'2019-03-01'),
  (101, 'SPD-ASH-L', 'Ash Spade', 112, 54.50, 21.0000, 2.5, '{"material":"ash","warranty":{"years":10},"colors":[]}', array(named_struct('color', 'ash', 'size', 'L', 'stock', 7)), true, X'89504E48', DATE'2019-03-01'),
  (102, 'SPD-STL-M', 'Steel Spade', 112, 64.00, 30.1250, 2.0, '{"material":"steel","colors":["grey"]}', array(), true, NULL, DATE'2020-02-15'),
  (103, 'SEE-TOM-1', 'Tomato Seeds', 12, 2.49, 0.3300, 0.0625, '{"organic":true,"sow":["mar","apr"],"colors":["red"]}', NULL, true, NULL, DATE'2018-01-10'),
  (104, 'SEE-BAS-1', 'Basil Seeds', 12, 1.99, 0.3300, 0.0625, '{"organic":false,"sow":["apr","may"]}', NULL, true, NULL, DATE'2018-01-10'),
  (105, 'KIT-PAN-28', 'Iron Pan', 21, 79.00, 34.5000, 3.0, '{"material":"iron","diameter_cm":28,"colors":["black"]}', array(named_struct('color', 'black', 'size', '28', 'stock', 40), named_struct('color', 'black', 'size', '24', 'stock', 3)), true, X'FFD8FF', DATE'2020-10-01'),
  (106, 'TNT-ORG-2', 'Two-Man Tent', 31, 249.00, 131.0000, 4.5, '{"material":"nylon","persons":2,"colors":["orange","blue"]}', array(named_struct('color', 'orange', 'size', '2', 'stock', 4), named_struct('color', 'blue', 'size', '2', 'stock', NULL)), true, NULL, DATE'2021-04-01'),
  (107, 'TNT-GRN-4', 'Family Tent', 31, 449.00, 260.7500, 9.0, '{"material":"nylon","persons":4', array(), true, NULL, DATE'2021-04-01'),
  (108, 'STV-GAS-1', 'Gas Stove', 32, 34.95, 15.5000, 0.75, '{"material":"brass","fuel":"gas","colors":["silver"]}', array(named_struct('color', 'silver', 'size', NULL, 'stock', 22)), true, NULL, DATE'2022-05-20'),
  (109, 'SHR-RED-S', 'Flower Shears', 111, 14.90, 6.1000, 0.25, NULL, array(named_struct('color', 'red', 'size', 'S', 'stock', 90)), false, NULL, NULL),
  (110, 'GFT-000-0', 'Gift Card', NULL, 25.00, NULL, NULL, '{}', NULL, true, NULL, DATE'2023-11-01');

CREATE TABLE shop.orders (
  order_id BIGINT,
  customer_id BIGINT,
  store_id INT COMMENT 'NULL: ordered on the web',
  ordered_at TIMESTAMP,
  local_time TIMESTAMP_NTZ COMMENT 'wall clock of the till or of the browser',
  status STRING,
  channel STRING,
  currency STRING,
  shipping_fee DECIMAL(8, 2),
  discount_code STRING,
  note STRING
) USING parquet;

INSERT INTO shop.orders VALUES
  (1001, 1, NULL, TIMESTAMP'2023-01-03 09:15:00', TIMESTAMP_NTZ'2023-01-03 10:15:00', 'delivered', 'web', 'EUR', 4.90, NULL, NULL),
  (1002, 2, NULL, TIMESTAMP'2023-01-15 23:30:00', TIMESTAMP_NTZ'2023-01-16 00:30:00', 'delivered', 'app', 'EUR', 4.90, 'WINTER23', 'ring twice'),
  (1003, 5, 3, TIMESTAMP'2023-02-01 08:00:00', TIMESTAMP_NTZ'2023-02-01 09:00:00', 'delivered', 'store', 'EUR', 0.00, NULL, NULL),
  (1004, 3, NULL, TIMESTAMP'2023-02-14 18:20:00', TIMESTAMP_NTZ'2023-02-14 19:20:00', 'returned', 'web', 'EUR', 9.90, 'LOVE', ''),
  (1005, 1, 1, TIMESTAMP'2023-03-09 15:45:00', TIMESTAMP_NTZ'2023-03-09 16:45:00', 'delivered', 'store', 'EUR', 0.00, NULL, NULL),
  (1006, 7, NULL, TIMESTAMP'2023-03-26 00:45:00', TIMESTAMP_NTZ'2023-03-26 01:45:00', 'delivered', 'web', 'DKK', 49.00, NULL, 'til naboen'),
  (1007, 8, NULL, TIMESTAMP'2023-03-31 22:30:00', TIMESTAMP_NTZ'2023-04-01 00:30:00', 'delivered', 'phone', 'EUR', 0.00, 'B2B', 'PO 4711'),
  (1008, 4, 2, TIMESTAMP'2023-04-22 10:10:00', TIMESTAMP_NTZ'2023-04-22 12:10:00', 'cancelled', 'store', 'EUR', 0.00, NULL, NULL),
  (1009, 2, NULL, TIMESTAMP'2023-05-05 05:05:05', TIMESTAMP_NTZ'2023-05-05 07:05:05', 'delivered', 'app', 'EUR', 4.90, NULL, NULL),
  (1010, 6, NULL, TIMESTAMP'2023-05-05 05:05:05', TIMESTAMP_NTZ'2023-05-05 07:05:05', 'delivered', 'web', 'EUR', 9.90, 'STUDENT', NULL),
  (1011, 5, NULL, TIMESTAMP'2023-06-18 13:00:00', TIMESTAMP_NTZ'2023-06-18 15:00:00', 'delivered', 'phone', 'EUR', 0.00, 'B2B', 'PO 9-2023; deliver to gate 2'),
  (1012, 1, NULL, TIMESTAMP'2023-07-07 07:07:07', TIMESTAMP_NTZ'2023-07-07 09:07:07', 'delivered', 'web', 'EUR', 0.00, 'SUMMER', NULL),
  (1013, 9, NULL, TIMESTAMP'2023-08-20 20:00:00', TIMESTAMP_NTZ'2023-08-20 22:00:00', 'shipped', 'web', 'CZK', 129.00, NULL, 'prosím volat'),
  (1014, 10, NULL, TIMESTAMP'2023-09-01 12:34:56', TIMESTAMP_NTZ'2023-09-01 14:34:56', 'delivered', 'web', 'EUR', 4.90, NULL, NULL),
  (1015, 8, NULL, TIMESTAMP'2023-10-29 00:30:00', TIMESTAMP_NTZ'2023-10-29 02:30:00', 'delivered', 'phone', 'EUR', 0.00, 'B2B', 'PO 4790'),
  (1016, NULL, 1, TIMESTAMP'2023-11-11 16:00:00', TIMESTAMP_NTZ'2023-11-11 17:00:00', 'delivered', 'store', 'EUR', 0.00, NULL, NULL),
  (1017, 7, NULL, TIMESTAMP'2023-11-24 21:00:00', TIMESTAMP_NTZ'2023-11-24 22:00:00', 'returned', 'app', 'DKK', 0.00, 'BLACK', NULL),
  (1018, 2, NULL, TIMESTAMP'2023-11-24 22:15:00', TIMESTAMP_NTZ'2023-11-24 23:15:00', 'delivered', 'app', 'EUR', 0.00, 'BLACK', NULL),
  (1019, 11, NULL, TIMESTAMP'2023-12-12 10:00:00', TIMESTAMP_NTZ'2023-12-12 10:00:00', 'shipped', 'web', 'EUR', 12.50, 'STUDENT', 'gift wrap'),
  (1020, 1, NULL, TIMESTAMP'2023-12-31 23:59:59', TIMESTAMP_NTZ'2024-01-01 00:59:59', 'open', 'web', 'EUR', 4.90, NULL, NULL),
  (1021, 5, 3, TIMESTAMP'2024-01-08 09:00:00', TIMESTAMP_NTZ'2024-01-08 10:00:00', 'delivered', 'store', 'EUR', 0.00, 'B2B', NULL),
  (1022, 12, NULL, TIMESTAMP'2024-01-20 14:00:00', NULL, 'open', 'web', 'EUR', NULL, NULL, NULL),
  (1023, 77, NULL, TIMESTAMP'2024-02-02 02:02:02', TIMESTAMP_NTZ'2024-02-02 03:02:02', 'open', 'app', 'CHF', 7.00, NULL, 'customer unknown'),
  (1024, 8, 2, TIMESTAMP'2024-02-29 11:00:00', TIMESTAMP_NTZ'2024-02-29 12:00:00', 'open', 'store', 'EUR', 0.00, 'B2B', NULL);

CREATE TABLE shop.order_lines (
  order_id BIGINT,
  line_no SMALLINT,
  product_id INT,
  quantity INT,
  unit_price DECIMAL(10, 2) COMMENT 'in the currency of the order',
  discount DECIMAL(5, 4) COMMENT 'a fraction, NULL for none',
  options MAP<STRING, STRING>
) USING parquet;

INSERT INTO shop.order_lines VALUES
  (1001, 1, 100, 1, 39.90, NULL, map('engraving', 'A.L.')), (1001, 2, 103, 5, 2.49, NULL, NULL),
  (1002, 1, 105, 1, 79.00, 0.1000, NULL), (1003, 1, 101, 20, 49.00, 0.0500, map('palette', 'yes')),
  (1003, 2, 102, 10, 60.00, 0.0500, NULL), (1003, 3, 103, 200, 1.99, 0.1500, NULL),
  (1004, 1, 106, 1, 249.00, 0.1000, map('color', 'orange')), (1005, 1, 104, 3, 1.99, NULL, NULL),
  (1006, 1, 108, 2, 260.00, NULL, map('color', 'silver', 'gift', 'no')), (1007, 1, 101, 15, 49.00, 0.0500, NULL),
  (1007, 2, 100, 15, 35.00, 0.0500, NULL), (1008, 1, 105, 1, 79.00, NULL, NULL),
  (1009, 1, 103, 10, 2.49, NULL, NULL), (1009, 2, 104, 10, 1.99, NULL, map()),
  (1010, 1, 106, 1, 249.00, 0.1500, map('color', 'blue')), (1011, 1, 102, 8, 60.00, 0.0500, NULL),
  (1011, 2, 100, 12, 35.00, 0.0500, NULL), (1012, 1, 107, 1, 449.00, 0.2000, NULL),
  (1012, 2, 108, 1, 34.95, 0.2000, NULL), (1013, 1, 105, 1, 1990.00, NULL, NULL),
  (1014, 1, 109, 2, 14.90, NULL, NULL), (1014, 2, 100, 1, 39.90, NULL, NULL),
  (1015, 1, 101, 30, 48.00, 0.0750, map('palette', 'yes')), (1016, 1, 103, 1, 2.49, NULL, NULL),
  (1017, 1, 106, 1, 1850.00, 0.2500, NULL), (1017, 2, 108, 1, 260.00, 0.2500, NULL),
  (1018, 1, 105, 2, 79.00, 0.2500, NULL), (1018, 2, 100, 1, 39.90, 0.2500, NULL), (1018, 3, 110, 1, 25.00, NULL, NULL),
  (1019, 1, 106, 1, 249.00, 0.1500, NULL), (1020, 1, 110, 2, 25.00, NULL, NULL),
  (1021, 1, 102, 25, 59.00, 0.0750, NULL), (1021, 2, 104, 300, 1.50, NULL, NULL),
  (1022, 1, 108, 1, 34.95, NULL, NULL), (1022, 2, 999, 1, 0.00, NULL, NULL), (1024, 1, 100, 40, 33.00, 0.0750, NULL);

CREATE TABLE shop.returns (
  return_id INT, order_id BIGINT, line_no SMALLINT, returned_on DATE, quantity INT, reason STRING, condition TINYINT
) USING parquet;

INSERT INTO shop.returns VALUES
  (1, 1004, 1, DATE'2023-02-28', 1, 'too small', 5), (2, 1003, 2, DATE'2023-03-01', 2, 'damaged', 1),
  (3, 1017, 1, DATE'2023-12-05', 1, 'not as shown', 4), (4, 1017, 2, DATE'2023-12-05', 1, 'not as shown', 4),
  (5, 1009, 1, DATE'2023-05-20', 1, NULL, NULL), (6, 1015, 1, DATE'2023-11-10', 3, 'damaged', 2),
  (7, 1018, 2, DATE'2023-12-27', 1, 'changed my mind', 5), (8, 1666, 1, DATE'2023-12-28', 1, 'wrong address', 3),
  (9, 1003, 3, DATE'2023-03-02', 20, 'mouldy', 0), (10, 1012, 1, DATE'2023-08-01', 1, 'damaged', 1);

CREATE TABLE shop.price_history (product_id INT, valid_from DATE, valid_to DATE, price DECIMAL(10, 2)) USING parquet;

INSERT INTO shop.price_history VALUES
  (100, DATE'2019-03-01', DATE'2021-01-01', 34.90), (100, DATE'2021-01-01', DATE'2023-01-01', 36.90), (100, DATE'2023-01-01', NULL, 39.90),
  (101, DATE'2019-03-01', DATE'2022-07-01', 49.00), (101, DATE'2022-07-01', NULL, 54.50), (102, DATE'2020-02-15', NULL, 64.00),
  (103, DATE'2018-01-10', DATE'2023-02-01', 1.99), (103, DATE'2023-02-01', NULL, 2.49), (105, DATE'2020-10-01', NULL, 79.00),
  (106, DATE'2021-04-01', DATE'2023-06-01', 279.00), (106, DATE'2023-06-01', NULL, 249.00), (108, DATE'2022-05-20', NULL, 34.95);

CREATE TABLE shop.loyalty_cards (card_no STRING, customer_id BIGINT, points INT, tier STRING, issued_on DATE) USING parquet;

INSERT INTO shop.loyalty_cards VALUES
  ('FW-0001', 1, 420, 'oak', DATE'2021-01-05'), ('FW-0002', 2, 80, 'birch', DATE'2021-03-01'),
  ('FW-0005', 5, 4100, 'oak', DATE'2022-01-10'), ('FW-0007', 7, 0, NULL, DATE'2022-10-30');

CREATE TABLE shop.newsletter_2019 (email STRING, sent_on DATE, opened BOOLEAN) USING parquet;

INSERT INTO shop.newsletter_2019 VALUES
  ('ada.lorenz@example.org', DATE'2019-05-01', true), ('bram@example.net', DATE'2019-05-01', false), ('x@example.com', DATE'2019-06-01', NULL);

-- ----------------------------------------------------------------------------------------------------- logistics

CREATE TABLE logistics.warehouses (
  warehouse_id INT,
  code CHAR(4),
  name VARCHAR(40),
  country STRING,
  capacity_m3 DOUBLE,
  zones ARRAY<STRUCT<zone: STRING, temp_c: INT>>,
  lease_ends DATE
) USING parquet;

INSERT INTO logistics.warehouses VALUES
  (1, 'LEJ', 'Leipzig Nord', 'DE', 12000.5D, array(named_struct('zone', 'A', 'temp_c', 18), named_struct('zone', 'C', 'temp_c', 4)), DATE'2027-12-31'),
  (2, 'LNZ', 'Linz', 'AT', 4000.0D, array(named_struct('zone', 'A', 'temp_c', 20)), DATE'2025-06-30'),
  (3, 'RTM2', 'Rotterdam Zwei', 'NL', NULL, array(), NULL),
  (4, 'XXXX', 'Returns', 'DE', 800.0D, NULL, DATE'2024-03-31');

CREATE TABLE logistics.stock (warehouse_id INT, product_id INT, on_hand INT, reserved INT, counted_on DATE) USING parquet;

INSERT INTO logistics.stock VALUES
  (1, 100, 120, 40, DATE'2024-02-01'), (1, 101, 35, 0, DATE'2024-02-01'), (1, 102, 18, 25, DATE'2024-02-01'), (1, 103, 4000, 200, DATE'2024-01-15'),
  (1, 105, 43, 1, DATE'2024-02-01'), (1, 106, 4, 1, DATE'2024-02-01'), (2, 101, 60, 20, DATE'2023-12-20'), (2, 102, 25, 25, DATE'2023-12-20'),
  (2, 104, 300, 300, DATE'2023-12-20'), (3, 106, 9, NULL, DATE'2024-01-31'), (3, 107, 2, 0, DATE'2024-01-31'), (3, 108, 22, 1, NULL),
  (4, 106, 2, 0, DATE'2024-01-02'), (4, 107, 1, 0, DATE'2024-01-02');

CREATE TABLE logistics.shipments (
  shipment_id BIGINT,
  order_id BIGINT,
  warehouse_id INT,
  carrier STRING,
  packed_at TIMESTAMP,
  promised_on DATE,
  delivered_at TIMESTAMP,
  weight_g INT,
  cost DECIMAL(9, 3),
  parcels ARRAY<STRUCT<barcode: STRING, weight_g: INT, items: ARRAY<INT>>>
) USING parquet;

INSERT INTO logistics.shipments VALUES
  (1, 1001, 1, 'Parcelo', TIMESTAMP'2023-01-03 14:00:00', DATE'2023-01-05', TIMESTAMP'2023-01-05 10:12:00', 1600, 3.450, array(named_struct('barcode', 'P1', 'weight_g', 1600, 'items', array(100, 103)))),
  (2, 1002, 3, 'Parcelo', TIMESTAMP'2023-01-16 09:00:00', DATE'2023-01-18', TIMESTAMP'2023-01-20 17:30:00', 3100, 4.100, array(named_struct('barcode', 'P2', 'weight_g', 3100, 'items', array(105)))),
  (3, 1003, 2, 'Huckepack', TIMESTAMP'2023-02-01 11:00:00', DATE'2023-02-03', TIMESTAMP'2023-02-03 08:00:00', 83000, 79.000, array(named_struct('barcode', 'H1', 'weight_g', 52000, 'items', array(101)), named_struct('barcode', 'H2', 'weight_g', 31000, 'items', array(102, 103)))),
  (4, 1004, 1, 'Parcelo', TIMESTAMP'2023-02-15 07:30:00', DATE'2023-02-18', TIMESTAMP'2023-02-17 12:00:00', 4700, 8.250, array(named_struct('barcode', 'P4', 'weight_g', 4700, 'items', array(106)))),
  (5, 1006, 3, 'Nordpost', TIMESTAMP'2023-03-27 06:00:00', DATE'2023-03-30', TIMESTAMP'2023-04-02 15:00:00', 1700, 7.999, array(named_struct('barcode', 'N1', 'weight_g', 1700, 'items', array(108, 108)))),
  (6, 1007, 1, 'Huckepack', TIMESTAMP'2023-04-03 08:00:00', DATE'2023-04-05', TIMESTAMP'2023-04-05 07:15:00', 58000, 61.500, array(named_struct('barcode', 'H3', 'weight_g', 58000, 'items', array(101, 100)))),
  (7, 1009, 3, 'Parcelo', TIMESTAMP'2023-05-05 10:00:00', DATE'2023-05-08', TIMESTAMP'2023-05-08 09:00:00', 1300, 3.450, array()),
  (8, 1010, 1, 'Parcelo', TIMESTAMP'2023-05-05 10:00:00', DATE'2023-05-08', TIMESTAMP'2023-05-09 09:00:00', 4700, 8.250, NULL),
  (9, 1011, 2, 'Huckepack', TIMESTAMP'2023-06-19 06:00:00', DATE'2023-06-21', TIMESTAMP'2023-06-21 06:30:00', 31000, 44.000, array(named_struct('barcode', 'H4', 'weight_g', 16000, 'items', array(102)), named_struct('barcode', 'H5', 'weight_g', 15000, 'items', array(100)))),
  (10, 1012, 1, 'Parcelo', TIMESTAMP'2023-07-07 12:00:00', DATE'2023-07-10', TIMESTAMP'2023-07-10 11:00:00', 9900, 12.400, array(named_struct('barcode', 'P5', 'weight_g', 9900, 'items', array(107, 108)))),
  (11, 1013, 1, NULL, TIMESTAMP'2023-08-21 08:00:00', DATE'2023-08-25', NULL, 3100, 11.000, array(named_struct('barcode', NULL, 'weight_g', 3100, 'items', NULL))),
  (12, 1014, 1, 'Parcelo', TIMESTAMP'2023-09-01 15:00:00', DATE'2023-09-04', TIMESTAMP'2023-09-04 18:00:00', 1800, 3.450, array(named_struct('barcode', 'P6', 'weight_g', 1800, 'items', array(109, 100)))),
  (13, 1015, 1, 'Huckepack', TIMESTAMP'2023-10-30 07:00:00', DATE'2023-11-01', TIMESTAMP'2023-11-02 07:00:00', 76000, 70.000, array(named_struct('barcode', 'H6', 'weight_g', 38000, 'items', array(101)), named_struct('barcode', 'H7', 'weight_g', 38000, 'items', array(101)))),
  (14, 1017, 3, 'Nordpost', TIMESTAMP'2023-11-25 06:00:00', DATE'2023-11-28', TIMESTAMP'2023-11-28 13:00:00', 5400, 9.500, array(named_struct('barcode', 'N2', 'weight_g', 5400, 'items', array(106, 108)))),
  (15, 1018, 3, 'Parcelo', TIMESTAMP'2023-11-25 06:00:00', DATE'2023-11-28', TIMESTAMP'2023-12-01 13:00:00', 7400, 10.300, array(named_struct('barcode', 'P7', 'weight_g', 7400, 'items', array(105, 105, 100)))),
  (16, 1019, 3, 'Nordpost', TIMESTAMP'2023-12-12 16:00:00', DATE'2023-12-16', NULL, 4700, 14.750, array());

CREATE TABLE logistics.scans (shipment_id BIGINT, scanned_at TIMESTAMP, place STRING, code STRING) USING parquet;

INSERT INTO logistics.scans
SELECT s.shipment_id, s.packed_at + make_dt_interval(n.i, (s.shipment_id * 7 + n.i * 5) % 12), element_at(array('LEJ', 'NUE', 'DOOR'), n.i + 1), element_at(array('PICKUP', 'HUB', 'OUT'), n.i + 1)
FROM logistics.shipments AS s CROSS JOIN (VALUES (0), (1), (2)) AS n (i)
WHERE s.shipment_id <= 12 AND (s.shipment_id + n.i) % 5 <> 0;

INSERT INTO logistics.scans SELECT shipment_id, delivered_at, NULL, 'DELIVERED' FROM logistics.shipments WHERE delivered_at IS NOT NULL;

CREATE TABLE logistics.carrier_tariffs (carrier STRING, max_kg INT, surcharge DECIMAL(6, 2), valid_from DATE) USING parquet;

INSERT INTO logistics.carrier_tariffs VALUES
  ('Parcelo', 31, 0.35, DATE'2022-01-01'), ('Huckepack', 2000, 4.50, DATE'2022-01-01'), ('Nordpost', 20, NULL, DATE'2023-01-01');

-- ----------------------------------------------------------------------------------------------------------- web

CREATE TABLE web.sessions (
  session_id STRING,
  customer_id BIGINT,
  started_at TIMESTAMP,
  device STRUCT<os: STRING, browser: STRING, screen: STRUCT<w: INT, h: INT>>,
  utm MAP<STRING, STRING>,
  pages ARRAY<STRING>,
  scores ARRAY<DOUBLE> COMMENT 'of the recommender, one a page'
) USING parquet;

INSERT INTO web.sessions VALUES
  ('s01', 1, TIMESTAMP'2023-01-03 09:00:00', named_struct('os', 'macOS', 'browser', 'Safari', 'screen', named_struct('w', 1440, 'h', 900)), map('source', 'news', 'campaign', 'jan'), array('/', '/p/100', '/cart', '/done'), array(0.5D, 0.75D, 0.25D, 1.0D)),
  ('s02', 2, TIMESTAMP'2023-01-15 23:10:00', named_struct('os', 'Android', 'browser', 'Chrome', 'screen', named_struct('w', 412, 'h', 915)), map('source', 'ads', 'campaign', 'pan'), array('/p/105', '/cart', '/done'), array(0.5D, NULL, 1.0D)),
  ('s03', NULL, TIMESTAMP'2023-01-16 08:00:00', named_struct('os', 'Windows', 'browser', 'Firefox', 'screen', NULL), map(), array('/'), array()),
  ('s04', 3, TIMESTAMP'2023-02-14 18:00:00', named_struct('os', 'iOS', 'browser', 'Safari', 'screen', named_struct('w', 390, 'h', 844)), map('source', 'ads', 'campaign', 'love'), array('/c/tents', '/p/106', '/cart', '/done'), array(0.25D, 0.25D, 0.5D, 0.75D)),
  ('s05', NULL, TIMESTAMP'2023-03-01 12:00:00', NULL, NULL, NULL, NULL),
  ('s06', 7, TIMESTAMP'2023-03-26 00:20:00', named_struct('os', 'Linux', 'browser', 'Firefox', 'screen', named_struct('w', 1920, 'h', 1080)), map('source', 'direct'), array('/', '/c/stoves', '/p/108', '/cart', '/done'), array(0.5D, 0.5D, 0.5D, 0.5D, 0.5D)),
  ('s07', 6, TIMESTAMP'2023-05-05 05:00:00', named_struct('os', 'Windows', 'browser', 'Edge', 'screen', named_struct('w', 1920, 'h', 1080)), map('source', 'news', 'campaign', 'may'), array('/p/106', '/cart', '/done'), array(0.25D, 0.5D, 0.75D)),
  ('s08', 1, TIMESTAMP'2023-07-07 06:30:00', named_struct('os', 'macOS', 'browser', 'Safari', 'screen', named_struct('w', 1440, 'h', 900)), map('source', 'news', 'campaign', 'summer'), array('/', '/c/tents', '/p/107', '/p/108', '/cart', '/done'), array(1.0D, 1.0D, 0.5D, 0.5D, 0.5D, 1.0D)),
  ('s09', 9, TIMESTAMP'2023-08-20 19:40:00', named_struct('os', 'Android', 'browser', NULL, 'screen', named_struct('w', 360, 'h', 800)), map('source', 'ads', 'campaign', 'pan'), array('/p/105', '/cart'), array(0.75D, 0.25D)),
  ('s10', 11, TIMESTAMP'2023-12-12 09:45:00', named_struct('os', 'iOS', 'browser', 'Safari', 'screen', named_struct('w', 390, 'h', 844)), map('source', 'friend'), array('/p/106', '/p/107', '/p/106', '/cart', '/done'), array(0.5D, 0.25D, 0.5D, 0.75D, 1.0D));

CREATE TABLE web.events (
  event_id BIGINT,
  session_id STRING,
  event_type STRING,
  occurred_at TIMESTAMP,
  payload STRING COMMENT 'JSON',
  event_date DATE
) USING parquet
PARTITIONED BY (event_date);

INSERT INTO web.events VALUES
  (1, 's01', 'view', TIMESTAMP'2023-01-03 09:00:05', '{"page":"/","ms":120}', DATE'2023-01-03'),
  (2, 's01', 'view', TIMESTAMP'2023-01-03 09:01:00', '{"page":"/p/100","ms":80,"product":{"id":100,"price":39.9}}', DATE'2023-01-03'),
  (3, 's01', 'add', TIMESTAMP'2023-01-03 09:03:00', '{"product":{"id":100,"price":39.9},"qty":1,"tags":["a","b"]}', DATE'2023-01-03'),
  (4, 's01', 'add', TIMESTAMP'2023-01-03 09:03:30', '{"product":{"id":103,"price":2.49},"qty":5,"tags":[]}', DATE'2023-01-03'),
  (5, 's01', 'checkout', TIMESTAMP'2023-01-03 09:14:59', '{"total":57.25,"order":1001}', DATE'2023-01-03'),
  (6, 's02', 'view', TIMESTAMP'2023-01-15 23:10:02', '{"page":"/p/105","ms":300,"product":{"id":105,"price":79}}', DATE'2023-01-15'),
  (7, 's02', 'add', TIMESTAMP'2023-01-15 23:12:00', '{"product":{"id":105,"price":79},"qty":1,"tags":["deal"]}', DATE'2023-01-15'),
  (8, 's02', 'checkout', TIMESTAMP'2023-01-15 23:29:58', '{"total":76.0,"order":1002}', DATE'2023-01-15'),
  (9, 's03', 'view', TIMESTAMP'2023-01-16 08:00:01', '{"page":"/","ms":95}', DATE'2023-01-16'),
  (10, 's03', 'error', TIMESTAMP'2023-01-16 08:00:02', '{"code":500,"msg":"it''s down', DATE'2023-01-16'),
  (11, 's04', 'view', TIMESTAMP'2023-02-14 18:00:10', '{"page":"/c/tents","ms":150}', DATE'2023-02-14'),
  (12, 's04', 'view', TIMESTAMP'2023-02-14 18:02:00', '{"page":"/p/106","ms":110,"product":{"id":106,"price":279}}', DATE'2023-02-14'),
  (13, 's04', 'add', TIMESTAMP'2023-02-14 18:05:00', '{"product":{"id":106,"price":249},"qty":1,"tags":["gift","deal"]}', DATE'2023-02-14'),
  (14, 's04', 'checkout', TIMESTAMP'2023-02-14 18:19:59', '{"total":234.0,"order":1004}', DATE'2023-02-14'),
  (15, 's05', 'ping', TIMESTAMP'2023-03-01 12:00:00', NULL, DATE'2023-03-01'),
  (16, 's06', 'view', TIMESTAMP'2023-03-26 00:20:10', '{"page":"/","ms":70}', DATE'2023-03-26'),
  (17, 's06', 'view', TIMESTAMP'2023-03-26 00:31:00', '{"page":"/p/108","ms":65,"product":{"id":108,"price":260}}', DATE'2023-03-26'),
  (18, 's06', 'add', TIMESTAMP'2023-03-26 01:05:00', '{"product":{"id":108,"price":260},"qty":2}', DATE'2023-03-26'),
  (19, 's06', 'checkout', TIMESTAMP'2023-03-26 01:10:00', '{"total":569,"order":1006}', DATE'2023-03-26'),
  (20, 's07', 'view', TIMESTAMP'2023-05-05 05:00:10', '{"page":"/p/106","ms":200,"product":{"id":106,"price":279}}', DATE'2023-05-05'),
  (21, 's07', 'add', TIMESTAMP'2023-05-05 05:01:00', '{"product":{"id":106,"price":249},"qty":1,"tags":["student"]}', DATE'2023-05-05'),
  (22, 's07', 'remove', TIMESTAMP'2023-05-05 05:02:00', '{"product":{"id":106,"price":249},"qty":1}', DATE'2023-05-05'),
  (23, 's07', 'add', TIMESTAMP'2023-05-05 05:03:00', '{"product":{"id":106,"price":249},"qty":1}', DATE'2023-05-05'),
  (24, 's08', 'view', TIMESTAMP'2023-07-07 06:30:10', '{"page":"/","ms":55}', DATE'2023-07-07'),
  (25, 's08', 'add', TIMESTAMP'2023-07-07 06:40:00', '{"product":{"id":107,"price":449},"qty":1,"tags":["sale"]}', DATE'2023-07-07'),
  (26, 's08', 'add', TIMESTAMP'2023-07-07 06:41:00', '{"product":{"id":108,"price":34.95},"qty":1,"tags":["sale",null]}', DATE'2023-07-07'),
  (27, 's08', 'checkout', TIMESTAMP'2023-07-07 07:07:00', '{"total":387.16,"order":1012}', DATE'2023-07-07'),
  (28, 's09', 'view', TIMESTAMP'2023-08-20 19:40:10', '{"page":"/p/105","ms":410}', DATE'2023-08-20'),
  (29, 's09', 'add', TIMESTAMP'2023-08-20 19:45:00', '{"product":{"id":105},"qty":1}', DATE'2023-08-20'),
  (30, 's10', 'view', TIMESTAMP'2023-12-12 09:45:10', '{"page":"/p/106","ms":88}', DATE'2023-12-12'),
  (31, 's99', 'view', TIMESTAMP'2023-12-13 00:00:00', '{"page":"/ghost"}', DATE'2023-12-13');

CREATE TABLE web.api_calls (call_id INT, called_at TIMESTAMP_NTZ, partner STRING, doc VARIANT) USING parquet;

INSERT INTO web.api_calls
SELECT id, called, partner, parse_json(text) FROM VALUES
  (1, TIMESTAMP_NTZ'2024-01-05 10:00:00', 'gardenfinder', '{"op":"price","items":[{"sku":"SHR-GRN-M","n":2},{"sku":"SPD-ASH-L","n":1}],"meta":{"retry":0}}'),
  (2, TIMESTAMP_NTZ'2024-01-05 10:00:30', 'gardenfinder', '{"op":"stock","items":[],"meta":{"retry":1,"ms":42.5}}'),
  (3, TIMESTAMP_NTZ'2024-01-06 00:10:00', 'tentmap', '{"op":"price","items":[{"sku":"TNT-ORG-2","n":1}]}'),
  (4, TIMESTAMP_NTZ'2024-01-06 00:10:01', 'tentmap', '{"op":"price","items":[{"sku":"TNT-ORG-2","n":3}],"meta":{"retry":2}}'),
  (5, TIMESTAMP_NTZ'2024-01-07 12:00:00', NULL, 'null') AS calls (id, called, partner, text);

-- ------------------------------------------------------------------------------------------------------- finance

CREATE TABLE finance.payments (
  payment_id BIGINT, order_id BIGINT, method STRING, amount DECIMAL(12, 2), currency STRING, paid_at TIMESTAMP, status STRING, fee DECIMAL(12, 4)
) USING parquet;

INSERT INTO finance.payments VALUES
  (1, 1001, 'card', 57.25, 'EUR', TIMESTAMP'2023-01-03 09:15:10', 'settled', 0.8588), (2, 1002, 'wallet', 76.00, 'EUR', TIMESTAMP'2023-01-15 23:30:20', 'settled', 1.1400),
  (3, 1003, 'invoice', 1800.00, 'EUR', TIMESTAMP'2023-02-20 00:00:00', 'settled', NULL), (4, 1003, 'invoice', 39.30, 'EUR', TIMESTAMP'2023-03-05 00:00:00', 'settled', NULL),
  (5, 1004, 'card', 234.00, 'EUR', TIMESTAMP'2023-02-14 18:20:10', 'refunded', 3.5100), (6, 1005, 'cash', 5.97, 'EUR', TIMESTAMP'2023-03-09 15:45:30', 'settled', 0.0000),
  (7, 1006, 'card', 569.00, 'DKK', TIMESTAMP'2023-03-26 01:10:10', 'settled', 8.5350), (8, 1007, 'invoice', 1197.00, 'EUR', TIMESTAMP'2023-05-02 00:00:00', 'settled', NULL),
  (9, 1009, 'wallet', 49.70, 'EUR', TIMESTAMP'2023-05-05 05:06:00', 'settled', 0.7455), (10, 1010, 'card', 211.65, 'EUR', TIMESTAMP'2023-05-05 05:05:30', 'failed', 0.0000),
  (11, 1010, 'card', 221.55, 'EUR', TIMESTAMP'2023-05-05 05:06:30', 'settled', 3.3233), (12, 1011, 'invoice', 855.00, 'EUR', TIMESTAMP'2023-07-30 00:00:00', 'settled', NULL),
  (13, 1012, 'card', 387.16, 'EUR', TIMESTAMP'2023-07-07 07:07:30', 'settled', 5.8074), (14, 1013, 'card', 2119.00, 'CZK', TIMESTAMP'2023-08-20 20:00:10', 'authorised', 31.7850),
  (15, 1014, 'wallet', 74.60, 'EUR', TIMESTAMP'2023-09-01 12:35:10', 'settled', 1.1190), (16, 1015, 'invoice', 1332.00, 'EUR', NULL, 'open', NULL),
  (17, 1016, 'cash', 2.49, 'EUR', TIMESTAMP'2023-11-11 16:00:30', 'settled', 0.0000), (18, 1017, 'card', 1582.50, 'DKK', TIMESTAMP'2023-11-24 21:00:30', 'refunded', 23.7375),
  (19, 1018, 'wallet', 173.43, 'EUR', TIMESTAMP'2023-11-24 22:15:30', 'settled', 2.6015), (20, 1019, 'card', 224.15, 'EUR', TIMESTAMP'2023-12-12 10:00:30', 'settled', 3.3623),
  (21, 1777, 'card', 10.00, 'USD', TIMESTAMP'2023-12-24 20:00:00', 'settled', 0.3000);

CREATE TABLE finance.fx_rates (currency STRING, rate_date DATE, rate_to_eur DECIMAL(18, 8)) USING parquet;

INSERT INTO finance.fx_rates VALUES
  ('EUR', DATE'2023-01-01', 1), ('DKK', DATE'2023-01-01', 0.13440000), ('DKK', DATE'2023-07-01', 0.13430000), ('CZK', DATE'2023-01-01', 0.04150000),
  ('CZK', DATE'2023-07-01', 0.04200000), ('CZK', DATE'2024-01-01', 0.04050000), ('CHF', DATE'2023-01-01', 1.01500000), ('CHF', DATE'2024-01-01', 1.07500000),
  ('GBP', DATE'2023-01-01', 1.13000000);

CREATE TABLE finance.ledger (
  entry_id BIGINT, account STRING, cost_center STRING, booked_on DATE, debit DECIMAL(14, 2), credit DECIMAL(14, 2), text STRING, year INT, month INT
) USING parquet
PARTITIONED BY (year, month);

INSERT INTO finance.ledger
SELECT
  id,
  element_at(array('4000', '4010', '6000', '6100', '6200'), CAST(id % 5 AS INT) + 1),
  CASE WHEN id % 5 < 2 THEN NULL ELSE element_at(array('OPS', 'MKT', 'IT'), CAST(id % 3 AS INT) + 1) END,
  make_date(2023, CAST(id % 12 AS INT) + 1, CAST(id % 28 AS INT) + 1),
  CASE WHEN id % 5 >= 2 THEN CAST(id * 13 % 97 AS DECIMAL(14, 2)) + 0.50 END,
  CASE WHEN id % 5 < 2 THEN CAST(id * 31 % 211 AS DECIMAL(14, 2)) + 10.25 END,
  CASE id % 4 WHEN 0 THEN concat('RE-2023-', lpad(id, 5, '0')) WHEN 1 THEN 'storno / correction' WHEN 2 THEN '' END,
  2023,
  CAST(id % 12 AS INT) + 1
FROM range(1, 49);

CREATE TABLE finance.budgets (cost_center STRING, year INT, q1 DECIMAL(12, 2), q2 DECIMAL(12, 2), q3 DECIMAL(12, 2), q4 DECIMAL(12, 2)) USING parquet;

INSERT INTO finance.budgets VALUES
  ('OPS', 2023, 100.00, 120.00, 120.00, 150.00), ('MKT', 2023, 80.00, NULL, 90.00, 200.00), ('IT', 2023, 60.00, 60.00, 60.00, 60.00), ('HR', 2023, 10.00, 10.00, NULL, NULL),
  ('OPS', 2022, 90.00, 90.00, 95.00, 110.00), ('MKT', 2022, 70.00, 75.00, 80.00, 150.00);

-- ------------------------------------------------------------------------------------------------------- support

CREATE TABLE support.agents (agent_id INT, name STRING, team STRING, manager_id INT, skills ARRAY<STRING>, hired_on DATE) USING parquet;

INSERT INTO support.agents VALUES
  (1, 'Ruth', 'lead', NULL, array('all'), DATE'2018-01-01'), (2, 'Samir', 'web', 1, array('login', 'payment'), DATE'2019-06-01'), (3, 'Tove', 'delivery', 1, array('carrier'), DATE'2020-02-29'),
  (4, 'Ugo', 'delivery', 3, array(), DATE'2022-08-15'), (5, 'Vera', 'web', 2, NULL, NULL), (6, 'Wim', NULL, 3, array('carrier', 'b2b'), DATE'2023-01-16');

CREATE TABLE support.tickets (
  ticket_id INT, customer_id BIGINT, order_id BIGINT, opened_at TIMESTAMP, closed_at TIMESTAMP, priority TINYINT, topic STRING, channel STRING, agent_id INT, csat INT,
  labels ARRAY<STRING>, meta STRING
) USING parquet;

INSERT INTO support.tickets VALUES
  (1, 2, 1002, TIMESTAMP'2023-01-19 08:00:00', TIMESTAMP'2023-01-20 18:00:00', 2, 'late delivery', 'mail', 3, 3, array('carrier', 'late'), '{"lang":"nl","bot":false,"tries":[1,2]}'),
  (2, 3, 1004, TIMESTAMP'2023-02-20 10:00:00', TIMESTAMP'2023-02-21 09:30:00', 3, 'return', 'chat', 2, 5, array('return'), '{"lang":"it","bot":true}'),
  (3, 5, 1003, TIMESTAMP'2023-02-28 07:00:00', TIMESTAMP'2023-03-03 07:00:00', 1, 'damaged', 'phone', 6, 2, array('b2b', 'damage', 'refund'), '{"lang":"de"}'),
  (4, 7, 1006, TIMESTAMP'2023-03-31 14:00:00', TIMESTAMP'2023-04-02 16:00:00', 2, 'late delivery', 'chat', 4, 4, array('late'), '{"lang":"da","bot":true,"tries":[]}'),
  (5, NULL, NULL, TIMESTAMP'2023-04-10 09:00:00', TIMESTAMP'2023-04-10 09:01:00', 4, 'spam', 'mail', NULL, NULL, array(), NULL),
  (6, 1, 1012, TIMESTAMP'2023-07-20 12:00:00', TIMESTAMP'2023-07-25 12:00:00', 2, 'damaged', 'mail', 3, 3, array('damage'), '{"lang":"de","bot":false}'),
  (7, 9, 1013, TIMESTAMP'2023-08-30 08:00:00', NULL, 1, 'lost parcel', 'phone', 3, NULL, array('carrier', 'lost'), '{"lang":"cs","tries":[3]}'),
  (8, 10, NULL, TIMESTAMP'2023-09-02 08:00:00', TIMESTAMP'2023-09-02 08:45:00', 3, 'login', 'chat', 2, 5, NULL, '{"lang":"de","bot":true,"tries":[1]}'),
  (9, 8, 1015, TIMESTAMP'2023-11-03 09:00:00', TIMESTAMP'2023-11-13 09:00:00', 1, 'damaged', 'phone', 6, 1, array('b2b', 'damage'), 'not json'),
  (10, 2, 1018, TIMESTAMP'2023-11-30 20:00:00', TIMESTAMP'2023-12-01 14:00:00', 2, 'late delivery', 'app', 4, 2, array('late', 'black friday'), '{"lang":"nl","bot":false}'),
  (11, 7, 1017, TIMESTAMP'2023-12-01 10:00:00', TIMESTAMP'2023-12-06 10:00:00', 3, 'return', 'chat', 2, 4, array('return'), '{"lang":"da"}'),
  (12, 11, 1019, TIMESTAMP'2023-12-20 11:00:00', NULL, 2, 'late delivery', 'chat', NULL, NULL, array('late', 'carrier'), '{"lang":"en","bot":true,"tries":[1,2,3]}'),
  (13, 12, 1022, TIMESTAMP'2024-01-25 11:00:00', NULL, 3, NULL, 'web', 5, NULL, array('payment'), '{}');

CREATE TABLE support.messages (ticket_id INT, sent_at TIMESTAMP, sender STRING, body STRING) USING parquet;

INSERT INTO support.messages VALUES
  (1, TIMESTAMP'2023-01-19 08:00:00', 'customer', 'Where is order #1002?'), (1, TIMESTAMP'2023-01-19 10:30:00', 'agent', 'We ask Parcelo.'), (1, TIMESTAMP'2023-01-20 18:00:00', 'agent', 'Delivered today, sorry!'),
  (2, TIMESTAMP'2023-02-20 10:00:00', 'customer', 'Troppo piccola'), (2, TIMESTAMP'2023-02-20 10:00:30', 'bot', 'Hi! I am a bot.'), (2, TIMESTAMP'2023-02-21 09:30:00', 'agent', 'Label sent.'),
  (3, TIMESTAMP'2023-02-28 07:00:00', 'customer', 'Two spades bent, order 1003, invoice RE-2023-00017'), (3, TIMESTAMP'2023-03-01 08:00:00', 'agent', 'Refund of 120 EUR'),
  (4, TIMESTAMP'2023-03-31 14:00:00', 'customer', 'Stadig ikke her'), (4, TIMESTAMP'2023-03-31 14:00:20', 'bot', 'Hi! I am a bot.'), (4, TIMESTAMP'2023-04-01 09:00:00', 'agent', 'Nordpost is late.'),
  (5, TIMESTAMP'2023-04-10 09:00:00', 'customer', 'CHEAP WATCHES http://spam.example/x?y=1'), (6, TIMESTAMP'2023-07-20 12:00:00', 'customer', 'Pole broken'), (6, TIMESTAMP'2023-07-25 12:00:00', 'agent', 'New one sent'),
  (7, TIMESTAMP'2023-08-30 08:00:00', 'customer', NULL), (8, TIMESTAMP'2023-09-02 08:00:00', 'customer', 'reset my password pls'), (8, TIMESTAMP'2023-09-02 08:44:00', 'bot', 'done'),
  (9, TIMESTAMP'2023-11-03 09:00:00', 'customer', 'Again damaged! #1015'), (9, TIMESTAMP'2023-11-06 09:00:00', 'customer', 'Hello??'), (9, TIMESTAMP'2023-11-07 11:00:00', 'agent', 'Collected on Thursday.'),
  (10, TIMESTAMP'2023-11-30 20:00:00', 'customer', 'late again'), (11, TIMESTAMP'2023-12-01 10:00:00', 'customer', 'retur'), (11, TIMESTAMP'2023-12-01 12:00:00', 'agent', 'ok');

-- ---------------------------------------------------------------------------------------------------------- mart

CREATE TABLE mart.calendar (day DATE, is_holiday BOOLEAN, holiday_name STRING, fiscal_period STRING) USING parquet;

-- The fiscal year begins in February.
INSERT INTO mart.calendar
SELECT
  day,
  date_format(day, 'MM-dd') IN ('01-01', '05-01', '12-25', '12-26'),
  CASE date_format(day, 'MM-dd') WHEN '01-01' THEN 'New Year' WHEN '05-01' THEN 'Labour Day' WHEN '12-25' THEN 'Christmas' END,
  concat('FY', year(add_months(day, -1)) % 100, 'P', lpad(month(add_months(day, -1)), 2, '0'))
FROM (SELECT explode(sequence(DATE'2023-01-01', DATE'2024-02-26', INTERVAL 7 DAYS)) AS day);

INSERT INTO mart.calendar VALUES (DATE'2023-05-01', true, 'Labour Day', 'FY23P04'), (DATE'2023-12-25', true, 'Christmas', 'FY23P11');

CREATE TABLE mart.old_orders (ordernr STRING, custname STRING, orderdate STRING, amount STRING, cur STRING, items STRING) USING parquet
COMMENT 'dump of the old shop, everything is text';

INSERT INTO mart.old_orders VALUES
  ('A-1', 'Lorenz, Ada', '03.11.2018', '19,90', 'EUR', '100:1|103:4'), ('A-2', 'de Wit,Bram', '2018-11-05', '79.00', 'EUR', '105:1'),
  ('A-3', NULL, '31.02.2019', 'n/a', 'EUR', ''), ('A-4', 'Rossi, Chiara', '24.12.2018', '1.249,00', 'EUR', '106:5'),
  ('A-5', 'HUBER KG', '2019-1-7', '350', NULL, '101:5|102:x'), ('A-5', 'HUBER KG', '2019-1-7', '350', NULL, '101:5|102:x'),
  ('A-6', 'Olsen', '', '0', 'DKK', NULL), ('A-7', 'Novák,  Hana', '15.03.2019', '-12,50', 'EUR', '103:-5');

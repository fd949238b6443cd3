-- stars, and the columns that came later
USE shop;

CREATE OR REPLACE VIEW orders_all WITH SCHEMA BINDING AS
SELECT *
FROM orders;

CREATE OR REPLACE VIEW lines_with_products AS
SELECT l.*, p.name AS product_name, p.* EXCEPT (product_id, name, thumbnail, variants)
FROM order_lines l LEFT JOIN products p ON p.product_id = l.product_id;

CREATE OR REPLACE VIEW returns_live
COMMENT 'shows new columns as they come'
WITH SCHEMA EVOLUTION
AS SELECT * FROM returns WHERE quantity > 0;

CREATE OR REPLACE VIEW stores_typed (id, store_code, place) WITH SCHEMA TYPE EVOLUTION
AS
SELECT store_id, code, struct(city, country) AS place FROM stores;

-- 2024-03: new columns. the views above stay as they are, says Jonas
ALTER TABLE orders ADD COLUMNS (gift BOOLEAN COMMENT 'since 2024-03', basket STRUCT<id: STRING, source: STRING>);
ALTER TABLE order_lines ADD COLUMN serial_no STRING;
ALTER TABLE returns ADD COLUMN (inspected_by STRING);

INSERT INTO orders VALUES
  (1025, 6, NULL, TIMESTAMP'2024-03-05 10:00:00', TIMESTAMP_NTZ'2024-03-05 11:00:00', 'open', 'app', 'EUR', 4.90, NULL, NULL, true, named_struct('id', 'b-1', 'source', 'app'));
INSERT INTO order_lines VALUES (1025, 1, 105, 1, 79.00, NULL, NULL, 'SN-0001');
INSERT INTO returns VALUES (11, 1021, 1, DATE'2024-03-06', 1, 'damaged', 2, 'Tove');

-- own: runs
CREATE DATABASE shop;
-- own: runs
CREATE DATABASE IF NOT EXISTS shop;
-- own: runs
CREATE SCHEMA IF NOT EXISTS shop2 COMMENT 'a second shop' WITH DBPROPERTIES (keeper = 'fleet', 'cost.centre' = '7');
-- own: runs
CREATE NAMESPACE shop3 COMMENT 'a third shop';
-- own: parses
ALTER DATABASE shop SET DBPROPERTIES ('edited-by' = 'ann', 'edit-date' = '2026-01-01');
-- own: parses
ALTER SCHEMA shop2 SET DBPROPERTIES ('edited-by' = 'bob');
-- own: parses
ALTER DATABASE shop2 UNSET DBPROPERTIES ('edited-by');
-- text: fails _LEGACY_ERROR_TEMP_1219
ALTER DATABASE shop SET LOCATION '/data/elsewhere';
-- own: parses
COMMENT ON DATABASE shop IS 'what is sold';
-- own: parses
COMMENT ON NAMESPACE shop IS NULL;
-- own: runs
DESCRIBE DATABASE EXTENDED shop;
-- own: runs
USE shop2;
-- own: runs
USE DATABASE sales;
-- own: runs
DROP DATABASE shop3 RESTRICT;
-- own: runs
DROP SCHEMA IF EXISTS shop2 CASCADE;
-- own: runs
DROP DATABASE IF EXISTS shop9;
-- own: runs
CREATE FUNCTION shop.doubled(x INT) RETURNS INT RETURN x * 2;
-- own: runs
CREATE OR REPLACE FUNCTION shop.doubled(x INT COMMENT 'a number') RETURNS INT COMMENT 'twice x' RETURN x + x;
-- own: runs
CREATE FUNCTION IF NOT EXISTS shop.doubled(x INT) RETURNS INT RETURN x;
-- own: runs
CREATE FUNCTION shop.above(least INT DEFAULT 3) RETURNS TABLE (id BIGINT) RETURN SELECT id FROM sales.orders WHERE id > least;
-- own: runs
CREATE TEMPORARY FUNCTION tripled(x INT) RETURNS INT LANGUAGE SQL DETERMINISTIC RETURN x * 3;
-- text: runs
CREATE FUNCTION shop.of_class AS 'org.example.Udf' USING JAR '/lib/udf.jar';
-- text: fails CANNOT_LOAD_FUNCTION_CLASS
CREATE OR REPLACE TEMPORARY FUNCTION of_class AS 'org.example.Udf' USING JAR '/lib/udf.jar';
-- tree: fails CANNOT_LOAD_FUNCTION_CLASS
REFRESH FUNCTION shop.doubled;
-- own: runs
DESCRIBE FUNCTION EXTENDED shop.doubled;
-- own: runs
DROP TEMPORARY FUNCTION IF EXISTS tripled;
-- own: runs
DROP FUNCTION shop.above;
-- own: runs
DROP FUNCTION IF EXISTS shop.above;
-- tree: runs
DECLARE VARIABLE threshold INT DEFAULT 5;
-- tree: runs
DECLARE OR REPLACE VARIABLE threshold = 17;
-- tree: runs
DECLARE OR REPLACE threshold DOUBLE;
-- tree: runs
SET VAR threshold = (SELECT max(id) FROM orders);
-- tree: runs
SET VARIABLE threshold = DEFAULT;
-- tree: runs
DROP TEMPORARY VARIABLE IF EXISTS threshold;
-- own: runs
DROP DATABASE shop CASCADE;

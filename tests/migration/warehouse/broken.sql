-- What was done to the warehouse without looking at its views. Each statement or pair of them breaks one view.

-- The table of shop.newsletter_opens.
DROP TABLE shop.newsletter_2019;

-- A column of shop.card_points, points, has another name. shop.cards_by_year does not read it.
DROP TABLE shop.loyalty_cards;
CREATE TABLE shop.loyalty_cards (card_no STRING, customer_id BIGINT, balance INT, tier STRING, issued_on DATE) USING parquet;
INSERT INTO shop.loyalty_cards VALUES ('FW-0001', 1, 500, 'oak', DATE'2021-01-05'), ('FW-0012', 12, 0, 'birch', DATE'2024-01-01');

-- The function of finance.net_of_vat.
DROP FUNCTION finance.strip_vat;

-- The view below mart.funnel_weekly.
DROP VIEW web.funnel_base;

-- The type of a column of logistics.tariff_with_fuel: a surcharge for each country.
DROP TABLE logistics.carrier_tariffs;
CREATE TABLE logistics.carrier_tariffs (carrier STRING, max_kg INT, surcharge MAP<STRING, DECIMAL(6, 2)>, valid_from DATE) USING parquet;
INSERT INTO logistics.carrier_tariffs VALUES ('Parcelo', 31, map('DE', 0.35, 'AT', 0.45), DATE'2024-01-01');

USE logistics;

CREATE OR REPLACE VIEW stock_free AS
SELECT w.code, w.name, s.product_id, s.on_hand, s.reserved,
       s.on_hand - coalesce(s.reserved, 0) AS free,
       greatest(s.on_hand - coalesce(s.reserved, 0), 0) AS sellable,
       round(s.on_hand * p.unit_cost, 2) AS value,
       s.on_hand / sum(s.on_hand) OVER (PARTITION BY s.product_id) AS part_of_all,
       CASE
         WHEN s.on_hand < coalesce(s.reserved, 0) THEN 'oversold'
         WHEN s.on_hand = coalesce(s.reserved, 0) THEN 'sold out'
         WHEN s.on_hand - s.reserved < d.per_month THEN 'order soon'
         -- WHEN s.counted_on < date_sub(current_date(), 90) THEN 'count again'
         ELSE 'ok'
       END AS state
FROM stock s,
     warehouses w,
     shop.products p LEFT JOIN (
       SELECT l.product_id, sum(l.quantity) / 14 AS per_month
       FROM shop.order_lines l
       GROUP BY l.product_id
     ) d ON d.product_id = p.product_id
WHERE s.warehouse_id = w.warehouse_id
  AND p.product_id = s.product_id
  AND w.code <> 'XXXX';

-- SELECT * FROM stock_free WHERE free < 0;

CREATE OR REPLACE VIEW warehouse_zones AS
SELECT rtrim(w.code) AS code, z.zone, z.temp_c, z.temp_c * 9 / 5 + 32 AS temp_f
FROM warehouses w LATERAL VIEW OUTER inline(w.zones) z;

CREATE OR REPLACE VIEW stock_by_product AS
SELECT p.product_id, p.name, sum(f.free) AS free, count(f.code) AS places,
       sort_array(collect_list(f.code)) AS codes,
       map_from_entries(sort_array(collect_list(struct(f.code, f.free)) FILTER (WHERE f.code IS NOT NULL))) AS by_place
FROM shop.products p LEFT JOIN stock_free f ON p.product_id = f.product_id
GROUP BY p.product_id, p.name;

CREATE OR REPLACE VIEW stale_counts AS
SELECT warehouse_id, product_id, counted_on, months_between(DATE '2024-02-15', counted_on) AS months_old, last_day(counted_on) AS month_end
FROM stock
WHERE counted_on IS NULL OR counted_on < add_months(date'2024-02-15', -1);

CREATE OR REPLACE VIEW lease_calendar AS
SELECT code, lease_ends, date_sub(lease_ends, 90) AS notice_by, trunc(lease_ends, 'Q') AS quarter, lease_ends + INTERVAL '6' MONTH AS latest, year(lease_ends) || '-' || lpad(quarter(lease_ends), 2, 'Q') AS label
FROM warehouses
WHERE lease_ends IS NOT NULL;

CREATE OR REPLACE VIEW tariff_with_fuel AS
SELECT carrier, max_kg, surcharge * 1.19 AS surcharge_gross, date_add(valid_from, 30) AS announced
FROM carrier_tariffs;

-- Priya's corner, Spark 4 syntax
USE mart;

-- unqualified `orders` is this one in mart, not the one in shop
CREATE OR REPLACE VIEW orders AS
SELECT * EXCEPT (note, local_time, basket), ordered_at::date AS order_date
FROM shop.orders
WHERE status != 'cancelled';

CREATE OR REPLACE VIEW orders_per_weekday AS
SELECT
  date_format(order_date, 'EEEE') AS weekday,
  count(*) AS orders,
  count(*) / 53 AS per_week,    -- no lateral alias with GROUP BY ALL
  listagg(order_id, ', ') WITHIN GROUP (ORDER BY order_id) AS ids,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY shipping_fee) AS median_fee,
  mode(channel, true) AS usual_channel
FROM orders
GROUP BY ALL
ORDER BY ALL;

CREATE OR REPLACE VIEW shadowed AS
WITH orders AS (
  -- not the view, and not the table either
  WITH orders (order_id, fee) AS (SELECT order_id, shipping_fee FROM shop.orders WHERE shipping_fee > 0)
  SELECT order_id, fee * 2 AS fee FROM orders
),
lines (order_id, n) AS (SELECT order_id, count(*) AS n FROM shop.order_lines GROUP BY order_id)
SELECT o.order_id, o.fee, l.n, (SELECT max(customer_id) FROM mart.orders AS m WHERE m.order_id = o.order_id) AS customer_id
FROM orders AS o JOIN lines AS l USING (order_id);

CREATE OR REPLACE VIEW latest_things AS
(SELECT 'order' AS what, order_id AS id, ordered_at AS at FROM shop.orders ORDER BY ordered_at DESC, order_id LIMIT 3)
UNION ALL
(SELECT 'ticket', ticket_id, opened_at FROM support.tickets ORDER BY opened_at DESC LIMIT 3 OFFSET 1)
UNION ALL
VALUES ('end of old shop', -1, TIMESTAMP'2019-12-31 23:00:00'), ('go live', 0, TIMESTAMP'2020-01-01 00:00:00')
ORDER BY at DESC, what;

CREATE OR REPLACE VIEW search_words AS
SELECT p.product_id, p.name, k.word, coalesce(k.boost, 1) AS boost, boost * 10 AS points /* of the alias, not of k */, points >= 20 AS pinned
FROM shop.products AS p
JOIN (VALUES ('spade', 2.0), ('tent', 1.5), ('shears', CAST(NULL AS DECIMAL(2, 1)))) AS k (word, boost)
  ON p.name ILIKE concat('%', k.word, '%')
WHERE (p.name LIKE ANY ('%Spade%', '%Tent') OR p.sku LIKE ALL ('SHR%', '%-_'))
  AND EXISTS (SELECT 1 FROM shop.order_lines TABLESAMPLE (100 PERCENT) AS l WHERE l.product_id = p.product_id AND l.quantity > 0)
  AND p.product_id NOT IN (SELECT product_id FROM shop.order_lines WHERE product_id IS NOT NULL EXCEPT ALL SELECT product_id FROM shop.products);

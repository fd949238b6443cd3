-- ===========================================================================
--  mart: sales. The chain is
--     shop.order_line_amounts -> shop.order_totals -> sales_eur -> sales_daily
--       -> sales_monthly -> sales_trend -> sales_alerts
--  rebuild in this order!                                      PS, 2022-10-01
-- ===========================================================================
USE mart;

CREATE OR REPLACE VIEW sales_eur AS
SELECT
  t.order_id,
  t.customer_id,
  t.ordered_at,
  CAST(t.ordered_at AS DATE) AS order_date,
  t.channel,
  t.status,
  t.pieces,
  finance.to_eur(t.total, t.currency, CAST(t.ordered_at AS DATE)) AS total_eur
FROM shop.order_totals AS t
WHERE t.status <> 'cancelled';

CREATE OR REPLACE VIEW sales_daily (order_date COMMENT 'UTC', orders, buyers, pieces, revenue COMMENT 'EUR, with shipping, without VAT changes') AS
SELECT order_date, COUNT(*) AS a, COUNT(DISTINCT customer_id) AS b, SUM(pieces) AS c, SUM(total_eur) AS d FROM (
  SELECT * FROM sales_eur
) GROUP BY order_date;

CREATE OR REPLACE VIEW sales_monthly AS
SELECT
  trunc(order_date, 'MM') AS month,
  sum(orders)             AS orders,
  sum(revenue)            AS revenue,
  max(revenue)            AS best_day,
  max_by(order_date, revenue) AS best_day_on
FROM sales_daily
GROUP BY 1;

CREATE OR REPLACE VIEW sales_trend AS
WITH months AS (
  SELECT explode(sequence(DATE'2023-01-01', DATE'2024-02-01', INTERVAL 1 MONTH)) AS month
),
filled AS (
  SELECT m.month, coalesce(s.orders, 0) AS orders, coalesce(s.revenue, 0) AS revenue
  FROM months m LEFT JOIN sales_monthly s ON s.month = m.month
)
SELECT
  month,
  orders,
  revenue,
  lag(revenue) OVER w                                  AS previous,
  revenue - lag(revenue) OVER w                        AS difference,
  avg(revenue) OVER (w3)                               AS avg_3_months,
  sum(revenue) OVER (PARTITION BY year(month) ORDER BY month) AS year_to_date,
  row_number() OVER (ORDER BY revenue DESC, month)     AS place
FROM filled
WINDOW w AS (ORDER BY month), w3 AS (ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW);

CREATE OR REPLACE VIEW sales_alerts AS
SELECT month, revenue, avg_3_months,
  CASE WHEN revenue = 0 THEN 'nothing sold' WHEN revenue < avg_3_months * 0.5 THEN 'weak' WHEN revenue > avg_3_months * 1.5 THEN 'strong' END AS alert
FROM sales_trend
WHERE revenue = 0 OR revenue < avg_3_months * 0.5 OR revenue > avg_3_months * 1.5;

CREATE OR REPLACE VIEW sales_by_fiscal_period AS
WITH weeks AS (
  SELECT
    day AS week_start,
    day + 6 AS week_end,
    fiscal_period,
    max(is_holiday) AS has_holiday,
    max(holiday_name) AS holiday_name
  FROM calendar
  WHERE dayofweek(day) = 1
  GROUP BY day, fiscal_period
)
SELECT
  w.fiscal_period,
  substr(w.fiscal_period, 1, 4) AS fiscal_year,
  count(DISTINCT w.week_start)  AS weeks,
  count(d.order_date)           AS days_with_orders,
  coalesce(sum(d.revenue), 0)   AS revenue,
  bool_or(w.has_holiday)        AS has_holiday,
  concat_ws(', ', sort_array(collect_set(w.holiday_name))) AS holidays,
  sum(coalesce(sum(d.revenue), 0)) OVER (
    PARTITION BY substr(w.fiscal_period, 1, 4)
    ORDER BY w.fiscal_period
    ROWS UNBOUNDED PRECEDING
  )                             AS fiscal_year_to_date
FROM weeks AS w
LEFT JOIN sales_daily AS d
  ON d.order_date BETWEEN w.week_start AND w.week_end
GROUP BY w.fiscal_period;

CREATE OR REPLACE VIEW channel_mix AS
SELECT *
FROM (SELECT channel, date_format(order_date, 'yyyy') AS y, total_eur FROM sales_eur)
PIVOT (sum(total_eur) FOR y IN ('2023' AS `2023`, '2024' AS `2024`));

CREATE OR REPLACE VIEW store_sales AS
WITH in_store AS (
  SELECT
    o.store_id,
    o.order_id,
    t.total,
    t.pieces,
    hour(o.local_time)                      AS till_hour,
    dense_rank() OVER by_total              AS place,
    sum(t.total) OVER by_total              AS running
  FROM shop.orders AS o
  JOIN shop.order_totals AS t USING (order_id)
  WHERE o.store_id IS NOT NULL
    AND o.status NOT IN ('cancelled')
  WINDOW by_total AS (PARTITION BY o.store_id ORDER BY t.total DESC, o.order_id)
)
SELECT
  s.code,
  s.city,
  s.geo.lat                                 AS lat,
  s.opening_hours['sat']                    AS saturday,
  coalesce(cardinality(s.opening_hours), 0) AS days_known,
  s.closed_on IS NOT NULL                   AS closed,
  datediff(coalesce(s.closed_on, DATE'2024-03-01'), s.opened_on) DIV 365 AS years_open,
  e.orders,
  e.total,
  e.busiest_hour,
  b.order_id                                AS best_order,
  b.total                                   AS best_total,
  CASE
    WHEN s.closed_on IS NOT NULL            THEN 'closed'
    WHEN coalesce(e.orders, 0) = 0          THEN 'idle'
    WHEN e.total >= 1000 AND s.is_franchise THEN 'strong franchise'
    WHEN e.total >= 1000                    THEN 'strong'
    ELSE 'normal'
  END                                       AS state
FROM shop.stores AS s
LEFT JOIN LATERAL (
  SELECT count(*) AS orders, sum(i.total) AS total, max_by(i.till_hour, i.total) AS busiest_hour
  FROM in_store AS i
  WHERE i.store_id = s.store_id
) AS e ON TRUE
LEFT JOIN in_store AS b
  ON b.store_id = s.store_id
 AND b.place = 1;

USE finance;

CREATE OR REPLACE VIEW payment_status AS
WITH last_try AS (
  SELECT *, row_number() OVER (PARTITION BY order_id ORDER BY payment_id DESC) AS rn
  FROM payments
)
SELECT o.order_id, lt.method, lt.status AS payment_status, o.status AS order_status,
  CASE
    WHEN lt.payment_id IS NULL AND o.status = 'cancelled' THEN 'nothing to do'
    WHEN lt.payment_id IS NULL                            THEN 'unpaid'
    WHEN lt.status = 'open'                               THEN 'dunning'
    WHEN lt.status IN ('settled', 'authorised')           THEN 'fine'
    WHEN lt.status = 'refunded' AND o.status = 'returned' THEN 'closed'
    WHEN lt.status = 'failed'                             THEN 'call customer'
    ELSE 'check'
  END AS todo
FROM shop.orders o
LEFT JOIN last_try lt ON lt.order_id = o.order_id AND lt.rn = 1;

CREATE OR REPLACE VIEW payments_vs_orders AS
-- both directions: paid without an order, ordered without a payment
WITH paid AS (
  SELECT
    order_id,
    sum(CASE WHEN status IN ('settled', 'authorised') THEN amount ELSE 0 END) AS paid,
    sum(CASE WHEN status = 'refunded' THEN amount ELSE 0 END) AS refunded,
    min(paid_at) AS first_paid_at,
    array_join(array_sort(collect_set(method)), '+') AS methods
  FROM payments
  WHERE status <> 'failed'
  GROUP BY order_id
),
came_back AS (
  SELECT r.order_id, sum(r.quantity * a.net / a.quantity) AS value
  FROM shop.returns r
  JOIN shop.order_line_amounts a ON a.order_id = r.order_id AND a.line_no = r.line_no
  GROUP BY r.order_id
)
SELECT
  coalesce(t.order_id, p.order_id) AS order_id,
  t.status,
  t.total,
  p.paid,
  p.refunded,
  p.methods,
  datediff(p.first_paid_at, t.ordered_at) AS days_to_pay,
  round(coalesce(t.total, 0) - coalesce(p.paid, 0) - coalesce(p.refunded, 0), 2) AS open_amount,
  round(b.value, 2) AS returned_value,
  t.order_id IS NULL AS without_order
FROM shop.order_totals t
FULL OUTER JOIN paid p ON p.order_id = t.order_id
LEFT JOIN came_back b ON b.order_id = t.order_id
WHERE NOT coalesce(t.total, 0) <=> coalesce(p.paid, 0);

CREATE OR REPLACE VIEW method_share AS
SELECT method, count(*) AS n, sum(amount) AS amount, round(100 * sum(amount) / sum(sum(amount)) OVER (), 2) AS pct, dense_rank() OVER (ORDER BY sum(amount) DESC) AS place
FROM payments
WHERE currency = 'EUR' AND status = 'settled'
GROUP BY method;

CREATE OR REPLACE VIEW fees_by_month AS
SELECT date_format(paid_at, 'yyyy-MM') AS month,
       sum(fee) FILTER (WHERE method = 'card') AS card_fees,
       sum(fee) FILTER (WHERE method = 'wallet') AS wallet_fees,
       sum(fee) AS fees,
       count(*) - count(fee) AS without_fee
FROM payments WHERE paid_at IS NOT NULL
GROUP BY date_format(paid_at, 'yyyy-MM');

CREATE OR REPLACE VIEW fx_periods AS
SELECT currency, rate_date AS valid_from,
       lead(rate_date, 1, DATE'9999-12-31') OVER (PARTITION BY currency ORDER BY rate_date) AS valid_to,
       rate_to_eur,
       round((rate_to_eur / lag(rate_to_eur) OVER (PARTITION BY currency ORDER BY rate_date) - 1) * 100, 4) AS change_pct
FROM fx_rates;

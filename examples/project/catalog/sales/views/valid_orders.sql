-- SET spark.sql.session.timeZone=UTC;
CREATE VIEW valid_orders COMMENT 'orders that count: neither cancelled nor returned' AS
SELECT id, customer_id, ordered, CAST(ordered AS DATE) AS day
FROM sales.orders
WHERE status NOT IN ('cancelled', 'returned');

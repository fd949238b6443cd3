CREATE VIEW order_totals COMMENT 'the value of each valid order' AS
SELECT o.id, o.customer_id, o.day, SUM(l.quantity * l.price) AS total, SUM(l.quantity) AS pieces
FROM sales.valid_orders AS o
INNER JOIN sales.order_lines AS l
ON l.order_id = o.id
GROUP BY o.id, o.customer_id, o.day;

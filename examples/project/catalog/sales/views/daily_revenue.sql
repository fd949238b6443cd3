CREATE VIEW daily_revenue COMMENT 'revenue and orders of each day' AS
SELECT day, SUM(total) AS revenue, COUNT(*) AS orders
FROM sales.order_totals
GROUP BY day;

TRUNCATE TABLE orders;
TRUNCATE TABLE sales.orders;
REFRESH TABLE orders;
refresh table memory.sales.`customers`;

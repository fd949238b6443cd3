MERGE INTO orders USING updates ON orders.id = updates.id WHEN MATCHED THEN UPDATE SET *  WHEN NOT MATCHED THEN INSERT *;
MERGE INTO orders AS t USING updates AS s ON t.id = s.id
WHEN MATCHED AND s.amount IS NULL THEN DELETE
WHEN MATCHED AND t.amount < s.amount THEN UPDATE SET t.amount = s.amount, customer = COALESCE(s.customer, t.customer), address.town = 'x'
WHEN MATCHED THEN UPDATE SET amount = DEFAULT
WHEN NOT MATCHED BY TARGET AND s.amount > 0 THEN INSERT (id, customer, amount) VALUES (s.id, upper(customer), s.amount + 1)
WHEN NOT MATCHED THEN INSERT (id, day) VALUES (id, DEFAULT)
WHEN NOT MATCHED BY SOURCE AND t.day < DATE '2024-01-01' THEN DELETE
WHEN NOT MATCHED BY SOURCE THEN UPDATE SET customer = CONCAT(customer, '?'), amount = NULL;
MERGE WITH SCHEMA EVOLUTION INTO orders USING (SELECT id, MAX(amount) AS amount FROM updates GROUP BY id) AS newest ON orders.id <=> newest.id
WHEN MATCHED THEN UPDATE SET amount = newest.amount WHEN NOT MATCHED THEN INSERT *;
MERGE INTO customers c USING VALUES (1L, 'a', 'DE') AS v(id, name, country) ON c.id = v.id AND c.country IN ('DE', v.country)
WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *;
UPDATE orders SET amount = amount * 2;
UPDATE orders AS o SET o.customer = UPPER(o.customer), address.town = o.address.street, day = DEFAULT WHERE o.id IN (SELECT id FROM updates) AND amount IS NOT NULL;
UPDATE memory.sales.orders SET tags = array('a', 'b'), address = named_struct('street', 'a', 'town', 'b') WHERE year(placed) = 2024;
DELETE FROM orders;
DELETE FROM orders WHERE amount < 0 OR customer LIKE 'x%';
DELETE FROM orders AS o WHERE EXISTS (SELECT 1 FROM updates u WHERE u.id = o.id);
UPDATE orders AS o WITH ('write.mode' = 'copy', k = 1) SET o.amount = 2 WHERE EXISTS (SELECT 1 FROM updates u WHERE u.id = o.id);
DELETE FROM orders WITH (k = 'v') WHERE id > 3;
MERGE INTO orders AS t WITH (k = 'v') USING updates AS s ON t.id = s.id WHEN MATCHED THEN DELETE;

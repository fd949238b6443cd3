INSERT INTO orders SELECT * FROM updates;
INSERT INTO orders (id, amount) SELECT id, amount FROM updates WHERE amount > 0;
INSERT OVERWRITE visits PARTITION (`day` = DATE '2024-01-01', country = 'DE') SELECT id, page FROM visits;
INSERT INTO visits VALUES (1, 'a', DATE '2024-01-01', 'DE'), (2, 'b', DATE '2024-01-02', 'FR');

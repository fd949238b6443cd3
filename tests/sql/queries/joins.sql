SELECT * FROM left_bag JOIN right_bag ON left_bag.x = right_bag.x

SELECT l.x, r.y FROM left_bag l INNER JOIN right_bag AS r ON l.x = r.x AND l.y <=> r.y

SELECT l.*, r.y AS other FROM left_bag l LEFT JOIN right_bag r ON l.x = r.x

SELECT l.x, r.x FROM left_bag l RIGHT OUTER JOIN right_bag r ON l.x = r.x

SELECT * FROM left_bag l FULL JOIN right_bag r ON l.x = r.x

SELECT * FROM left_bag NATURAL JOIN right_bag

SELECT * FROM left_bag NATURAL LEFT JOIN right_bag

SELECT * FROM left_bag NATURAL FULL OUTER JOIN right_bag

SELECT * FROM left_bag l JOIN right_bag r USING (x)

SELECT x, l.x AS lx, r.x AS rx, l.y, r.y FROM left_bag l LEFT JOIN right_bag r USING (x)

SELECT x, l.x AS lx, r.x AS rx FROM left_bag l RIGHT JOIN right_bag r USING (x)

SELECT x, l.x AS lx, r.x AS rx FROM left_bag l FULL OUTER JOIN right_bag r USING (x)

SELECT * FROM left_bag RIGHT JOIN right_bag USING (x, y)

SELECT * FROM left_bag FULL JOIN right_bag USING (y, x)

SELECT l.* FROM left_bag l FULL JOIN right_bag r USING (x)

SELECT * FROM left_bag a JOIN left_bag b USING (x) JOIN left_bag c USING (x)

SELECT * FROM left_bag a LEFT JOIN right_bag b USING (x) LEFT JOIN right_bag c USING (x)

SELECT x, count(*) FROM left_bag a FULL JOIN right_bag b USING (x) GROUP BY x

SELECT * FROM left_bag LEFT SEMI JOIN right_bag ON left_bag.x = right_bag.x

SELECT * FROM left_bag SEMI JOIN right_bag USING (x)

SELECT * FROM left_bag l LEFT ANTI JOIN right_bag r ON l.x = r.x AND r.y IS NOT NULL

SELECT l.x FROM left_bag l ANTI JOIN right_bag r USING (x, y)

SELECT * FROM left_bag LEFT SEMI JOIN right_bag

SELECT l.x FROM left_bag l LEFT SEMI JOIN right_bag r ON l.x < r.x WHERE l.y = 'a'

SELECT * FROM left_bag CROSS JOIN right_bag

SELECT * FROM left_bag l CROSS JOIN right_bag r ON l.x = r.x

SELECT * FROM left_bag JOIN right_bag

SELECT l.x, r.y FROM left_bag l, right_bag r WHERE l.x = r.x

SELECT a.x, b.x, c.x FROM left_bag a, right_bag b JOIN left_bag c ON b.x = c.x

SELECT a.x FROM left_bag a, left_bag b, left_bag c WHERE a.x = b.x AND b.x = c.x

SELECT a.x, b.y FROM left_bag a JOIN (left_bag b JOIN right_bag c ON b.x = c.x) ON a.x = b.x

SELECT * FROM (left_bag a CROSS JOIN right_bag b)

SELECT j.x FROM (left_bag a JOIN right_bag b USING (x)) j

SELECT left_bag.x FROM left_bag LEFT JOIN right_bag USING (x) WHERE right_bag.x IS NULL

SELECT c.name, o.order_id, l.sku FROM customers c LEFT JOIN orders o ON c.id = o.customer_id LEFT JOIN lines l ON l.line_order = o.order_id

SELECT programs.left_bag.x FROM programs.left_bag

SELECT spark_catalog.programs.left_bag.x, left_bag.y FROM spark_catalog.programs.left_bag

SELECT programs.left_bag.*, right_bag.y yy FROM programs.left_bag JOIN programs.right_bag ON programs.left_bag.x = programs.right_bag.x

SELECT t.a, t.b FROM left_bag AS t(a, b)

SELECT t.a FROM left_bag t (a, b) WHERE b = 'a'

SELECT * FROM (SELECT x, y FROM left_bag) AS s(p, q) WHERE p > 1

SELECT * FROM (SELECT 1 AS a, 2 AS b) t(c, d) JOIN (SELECT 1 AS c, 5 AS e) u USING (c)

SELECT * FROM (SELECT x FROM left_bag)

SELECT * FROM (TABLE left_bag) t

SELECT * FROM left_bag l JOIN right_bag r ON l.x = r.x JOIN left_bag l2 ON l2.x = r.x AND l2.y = l.y

SELECT * FROM left_bag l JOIN LATERAL (SELECT max(r.x) AS m FROM right_bag r WHERE r.x >= l.x) ON true

SELECT l.x, s.m FROM left_bag l LEFT JOIN LATERAL (SELECT r.x + 1 AS m FROM right_bag r WHERE r.x = l.x) s ON s.m > 1

SELECT l.x, s.total FROM left_bag l, LATERAL (SELECT sum(r.x) AS total FROM right_bag r WHERE r.x = l.x) AS s

SELECT l.x, s.total FROM left_bag l CROSS JOIN LATERAL (SELECT l.x * 2 AS total) s

SELECT p.product, t.tag FROM products p, LATERAL explode(p.tags) AS t(tag)

SELECT p.product, t.tag FROM products p LEFT JOIN LATERAL explode(p.tags) t(tag) ON true

SELECT product, pos, col FROM products, LATERAL posexplode(tags)

SELECT a.l, b.l FROM (SELECT x AS l FROM left_bag) a CROSS JOIN (SELECT x AS l FROM right_bag) b

SELECT x FROM left_bag WHERE x IN (1, 2) AND EXISTS (SELECT 1 FROM right_bag JOIN left_bag b USING (x))

SELECT l.x FROM left_bag l JOIN right_bag r ON l.x = r.x OR (l.x IS NULL AND r.x IS NULL)

SELECT `l`.`x`, `r`.`y` FROM `left_bag` `l` JOIN `right_bag` `r` ON `l`.`x` = `r`.`x`

SELECT * EXCEPT (y) FROM left_bag

SELECT l.* EXCEPT (y), r.* EXCEPT (x) FROM left_bag l JOIN right_bag r ON l.x = r.x

SELECT * EXCEPT (l.y) FROM left_bag l CROSS JOIN right_bag r

SELECT count(*), count(1), count(l.x), count(DISTINCT l.x, l.y) FROM left_bag l

SELECT struct(*) AS s FROM left_bag

SELECT struct(l.*, r.x AS other) AS s FROM left_bag l JOIN right_bag r ON l.x = r.x

SELECT size.*, product FROM products WHERE size IS NOT NULL

SELECT p.size.box.depth, p.size.width FROM products p

SELECT p.size.box.* FROM products p

SELECT array(*) FROM (SELECT 1 AS a, 2 AS b)

SELECT coalesce(*) AS c FROM left_bag WHERE false OR x = 1

SELECT a.x, b.x, c.y FROM left_bag a LEFT JOIN right_bag b ON a.x = b.x FULL JOIN left_bag c ON c.y = b.y

SELECT * FROM left_bag a NATURAL JOIN (SELECT x, 1 AS one FROM right_bag) b

SELECT a.*, b.* FROM left_bag a NATURAL JOIN right_bag b

SELECT y FROM left_bag a NATURAL RIGHT JOIN right_bag b ORDER BY y

SELECT * EXCEPT (x) FROM left_bag a JOIN right_bag b USING (x)

SELECT l.x FROM (left_bag l LEFT JOIN right_bag r ON l.x = r.x) WHERE r.y IS NULL

SELECT l.x FROM left_bag l JOIN (SELECT * FROM right_bag) r ON l.x = r.x JOIN (VALUES (1), (2)) v(z) ON v.z = l.x

SELECT a.x, b.y, e.v FROM left_bag a, right_bag b RIGHT JOIN events e ON a.x = e.v

SELECT a.x, b.x, c.z FROM left_bag AS a, right_bag AS b LEFT JOIN LATERAL (SELECT a.x + 1 AS z) AS c ON true

SELECT * FROM (SELECT x FROM left_bag), (SELECT v FROM events) UNPIVOT (n FOR name IN (x, v))

SELECT * FROM left_bag l LEFT SEMI JOIN right_bag r ON l.x = r.x AND EXISTS (SELECT 1 FROM right_bag q WHERE q.y = l.y)

SELECT * FROM left_bag l LEFT ANTI JOIN right_bag r ON l.x = r.x AND l.y IN (SELECT y FROM right_bag WHERE x > 1)

SELECT * FROM left_bag l LEFT ANTI JOIN right_bag r ON EXISTS (SELECT 1 FROM right_bag q WHERE q.y = l.y)

SELECT x, l.x, q.x, r.x FROM left_bag l JOIN (right_bag q JOIN right_bag r USING (x)) USING (x)

SELECT a.r, q.y FROM (SELECT * FROM (SELECT x, rank() OVER (ORDER BY x) AS r FROM left_bag) WHERE r < 3) a, (SELECT * FROM (SELECT x, rank() OVER (ORDER BY x DESC) AS r FROM left_bag) WHERE r < 4) b, right_bag q, right_bag p WHERE a.r = b.r AND q.x = a.x AND p.x = b.x

SELECT a.x, b.n FROM (SELECT x, count(*) AS n FROM left_bag GROUP BY x HAVING count(*) > 0) a JOIN (SELECT x, count(*) AS n FROM left_bag GROUP BY x HAVING count(*) < 9) b ON a.x = b.x

SELECT a.x, b.n FROM (SELECT x, count(*) AS n FROM left_bag GROUP BY x) a LEFT JOIN (SELECT x + 1 AS x, count(*) AS n FROM right_bag GROUP BY x + 1) b ON a.x = b.x AND EXISTS (SELECT 1 FROM right_bag r WHERE r.x = b.x)

SELECT v.s, w.s, w.s - v.s FROM (SELECT x, sum(x) AS s, rank() OVER (ORDER BY x) AS r FROM left_bag GROUP BY x) v, (SELECT x, sum(x) AS s, rank() OVER (ORDER BY x) AS r FROM left_bag GROUP BY x) w WHERE v.r = w.r + 1 ORDER BY w.s - v.s

SELECT * FROM left_bag a FULL JOIN (SELECT * FROM right_bag ORDER BY x DESC, y) b ON a.x = b.x

SELECT * FROM left_bag a JOIN (SELECT * FROM left_bag ORDER BY x + 1, y LIMIT 3) b ON a.x = b.x

SELECT count(*) FROM (SELECT c.y AS x1, coalesce(a.y, b.y) AS x2 FROM left_bag a LEFT JOIN left_bag b ON a.x = b.x JOIN left_bag c ON a.x = c.x) s, left_bag d, left_bag e WHERE d.x = e.x AND s.x1 = d.y AND s.x2 = e.y

SELECT c.k AS ck, a.k AS ak, b.k AS bk, v, z FROM (VALUES (1, 2)) a(k, v) JOIN (VALUES (5, 3)) b(k, w) ON true NATURAL JOIN (VALUES (1, 4), (5, 6)) c(k, z)

SELECT a.k AS ak, c.k AS ck, v, z FROM (VALUES (1, 2)) a(k, v) JOIN (VALUES (5, 3)) b(k, w) ON true FULL JOIN (VALUES (1, 4), (5, 6)) c(k, z) USING (k)

SELECT c.z, d.k FROM (VALUES (1, 4), (5, 6)) c(k, z) NATURAL JOIN ((VALUES (1)) b(k) CROSS JOIN (VALUES (5)) d(k))

SELECT * FROM (VALUES (0, 0, 0, 0, 0, 0)) v(a, b, c, x, e, f) UNION ALL SELECT * FROM (VALUES (1, 2), (3, 4)) a(x, y) FULL JOIN (VALUES (3, 5), (6, 7)) b(x, z) USING (x), (VALUES (1, 8)) c(x, y) FULL JOIN (VALUES (3, 9), (6, 10)) d(x, z) USING (x)

SELECT * FROM (VALUES (1, 2)) a(p, Q) NATURAL JOIN (VALUES (2, 3, 1)) b(q, r, P)

SELECT a.x, b.y FROM left_bag WITH (mergeSchema = TRUE, 'a.b' 1.50) AS a JOIN right_bag WITH (x = "y") AS b ON a.x = b.x

SELECT * FROM left_bag WITH (a.`b c` 'it\'s', A = .5, a = 'x') TABLESAMPLE (100 PERCENT)

WITH c AS (SELECT 1 AS x) SELECT * FROM c WITH (k = 1)

FROM left_bag |> JOIN right_bag WITH (k = 'v') AS b USING (x)

SELECT x, (SELECT count(*) FROM right_bag WITH (k = FALSE)) AS n FROM IDENTIFIER('left' || '_bag') WITH (k = 1)

SELECT count(r.*) AS n FROM left_bag l LEFT JOIN (SELECT x FROM right_bag) r USING (x)

SELECT y, count(l.*) AS n FROM left_bag l NATURAL RIGHT JOIN right_bag r GROUP BY y

SELECT count(size.*) AS n, count(p.* EXCEPT (tags)) AS m FROM products p

SELECT l.x, count(*) AS n FROM left_bag l LEFT JOIN right_bag r ON l.x = r.x GROUP BY l.x HAVING max(x) > 1

SELECT r.x, count(*) AS n FROM left_bag l JOIN right_bag r ON l.x = r.x GROUP BY r.x ORDER BY min(x + 1)

SELECT o.x, (SELECT max(i.n) FROM (SELECT x, (SELECT max(r.y) FROM right_bag r WHERE r.x = l.x) AS n FROM left_bag l) i WHERE i.x = o.x) AS m FROM left_bag o

SELECT max(i.n) AS m FROM (SELECT x, x IN (SELECT r.x FROM right_bag r WHERE r.y = l.y) AS n FROM left_bag l) i GROUP BY x

WITH l AS (SELECT x AS p, y AS q FROM left_bag) SELECT l.p FROM l JOIN right_bag r ON l.p = r.x WHERE r.y > 'b' UNION ALL SELECT l.p FROM l JOIN right_bag r ON l.q = r.y WHERE r.x < 3

SELECT x, l.x, r.x FROM left_bag AS l RIGHT JOIN right_bag AS r USING (x, x)

SELECT r.x, max(l.y) AS y FROM left_bag l LEFT JOIN right_bag r USING (x) GROUP BY r.x, x HAVING x > 0 ORDER BY ALL

SELECT count(*) AS n, max(length(l.y)) AS x FROM left_bag l FULL JOIN right_bag r USING (x) GROUP BY x, l.x HAVING x IS NULL

SELECT r.x AS g, x AS h, max(l.y) AS y FROM left_bag l LEFT JOIN right_bag r USING (x) GROUP BY g, h HAVING x > 0

SELECT r.x AS g, count(*) AS n FROM left_bag l LEFT JOIN right_bag r USING (x) GROUP BY x, r.x HAVING x > 0

SELECT x + 0 AS n FROM left_bag l LEFT JOIN right_bag l USING (x) ORDER BY l.x DESC, 1

SELECT x FROM left_bag l LEFT JOIN right_bag l USING (x) ORDER BY l.x DESC

SELECT x AS x, 1 AS n FROM left_bag l LEFT JOIN right_bag l USING (x) ORDER BY l.x DESC, 1

SELECT * FROM left_bag b JOIN LATERAL (SELECT r.x, r.y AS n FROM right_bag r) AS s ON true JOIN LATERAL (SELECT y AS n FROM left_bag) AS s ORDER BY s.n, 1, 2, 3, 4, 5

SELECT l.x, r.y FROM left_bag l JOIN right_bag r ON l.x = r.x AND l.x = (SELECT min_by(x, x) FROM right_bag)

SELECT a.n, b.n FROM (SELECT count(*) AS n FROM left_bag AS l, right_bag AS r WHERE l.x = r.x AND l.y = 'a') AS a, (SELECT count(*) AS n FROM left_bag AS l, right_bag AS r WHERE l.x = r.x AND r.y IS NULL) AS b

SELECT l.x, r.y FROM left_bag AS l, right_bag AS r, left_bag AS m WHERE l.x = r.x AND m.x = 1 UNION ALL SELECT l.x, r.y FROM left_bag AS l, right_bag AS r, right_bag AS m WHERE l.x < r.x AND m.x = 1

WITH w AS (SELECT l.x, r.y FROM left_bag AS l CROSS JOIN right_bag AS r) SELECT l.x, r.y FROM w AS l JOIN w AS r ON l.x = r.x AND l.y = r.y WHERE l.x > 1

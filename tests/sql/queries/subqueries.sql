SELECT (SELECT max(x) FROM right_bag)

SELECT x, (SELECT max(r.x) FROM right_bag r WHERE r.x = l.x) AS m FROM left_bag l

SELECT x FROM left_bag WHERE x = (SELECT min(x) FROM right_bag)

SELECT x FROM left_bag WHERE x IN (SELECT x FROM right_bag)

SELECT x FROM left_bag WHERE x NOT IN (SELECT x FROM right_bag WHERE x IS NOT NULL)

SELECT x FROM left_bag WHERE (x, y) IN (SELECT x, y FROM right_bag)

SELECT x FROM left_bag WHERE (x, y) NOT IN (SELECT x, y FROM right_bag WHERE x IS NOT NULL AND y IS NOT NULL)

SELECT x FROM left_bag l WHERE EXISTS (SELECT 1 FROM right_bag r WHERE r.x = l.x)

SELECT x FROM left_bag l WHERE NOT EXISTS (SELECT * FROM right_bag r WHERE r.x = l.x)

SELECT x FROM left_bag l WHERE x > 1 OR EXISTS (SELECT 1 FROM right_bag r WHERE r.x = l.x AND r.y = l.y)

SELECT x, EXISTS (SELECT 1 FROM right_bag r WHERE r.x = l.x) AS e FROM left_bag l

SELECT x, x IN (SELECT r.x FROM right_bag r) AS e FROM left_bag l

SELECT CASE WHEN x IN (SELECT x FROM right_bag) THEN 'in' ELSE 'out' END AS place FROM left_bag

SELECT CASE (SELECT count(*) FROM nothing) WHEN 0 THEN 'none' ELSE 'some' END AS c

SELECT x, count(*) AS n FROM left_bag GROUP BY x HAVING count(*) > (SELECT count(*) FROM nothing)

SELECT x FROM left_bag GROUP BY x HAVING x IN (SELECT x FROM right_bag)

SELECT x FROM left_bag ORDER BY x = (SELECT min(x) FROM right_bag) DESC NULLS LAST, x

SELECT l.x FROM left_bag l JOIN right_bag r ON l.x = r.x AND l.x IN (SELECT line_order - 99 FROM lines)

SELECT x FROM left_bag WHERE x = (SELECT max(x) FROM right_bag WHERE x < (SELECT max(x) FROM left_bag))

SELECT * FROM (SELECT x, (SELECT count(*) FROM right_bag r WHERE r.x = l.x) AS n FROM left_bag l) WHERE n > 0

SELECT name FROM customers c WHERE (SELECT sum(amount) FROM orders o WHERE o.customer_id = c.id) > 10

SELECT name FROM customers c WHERE c.id IN (SELECT o.customer_id FROM orders o WHERE o.amount > 5 AND o.customer_id = c.id)

SELECT o.order_id FROM orders o WHERE amount > (SELECT avg(amount) FROM orders i WHERE i.customer_id = o.customer_id)

SELECT (SELECT 1) + (SELECT 2) AS three

SELECT ((SELECT 1)) AS one

SELECT sum(x) FROM left_bag WHERE x IN (SELECT x FROM right_bag WHERE y IN (SELECT y FROM left_bag))

SELECT (SELECT struct(max(x) AS hi, min(x) AS lo) FROM left_bag).hi

SELECT x + (SELECT max(x) FROM right_bag) AS s FROM left_bag ORDER BY s NULLS LAST

SELECT id FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL) AND city IS NOT NULL

SELECT (SELECT max(x) FROM right_bag) FROM left_bag GROUP BY 1

SELECT max((SELECT max(x) FROM right_bag)) AS m FROM left_bag

SELECT x FROM left_bag WHERE (SELECT true)

SELECT (VALUES (1)) AS v

SELECT x, x IN (SELECT 1 UNION ALL SELECT 2) AS v FROM left_bag

SELECT x FROM left_bag l WHERE x IN (WITH c AS (SELECT x FROM right_bag) SELECT x FROM c)

SELECT EXISTS (SELECT * FROM nothing) AS e, NOT EXISTS (SELECT * FROM nothing) AS ne

SELECT array((SELECT 1), (SELECT 2)) AS a

SELECT sum(x) AS s FROM left_bag WHERE EXISTS (SELECT 1 FROM right_bag WHERE left_bag.x = right_bag.x HAVING count(*) > 1)

SELECT x, sum(x) OVER (PARTITION BY y ORDER BY (SELECT 1)) FROM left_bag

SELECT y, sum(x) AS s FROM left_bag l GROUP BY y HAVING EXISTS (SELECT 1 FROM right_bag r WHERE r.x < sum(l.x) AND r.y = l.y)

SELECT y FROM left_bag l GROUP BY y HAVING 1 IN (SELECT 1 FROM right_bag r WHERE r.x > count(l.x) AND r.x < sum(l.x) + sum(l.x + 1))

SELECT y AS z, max(x) AS m FROM left_bag l GROUP BY y HAVING EXISTS (SELECT 1 FROM right_bag r WHERE r.x <= m AND r.y = z)

SELECT DISTINCT y FROM left_bag l GROUP BY y HAVING NOT EXISTS (SELECT 1 FROM right_bag r WHERE r.x > max(l.x))

SELECT x FROM (SELECT x, map(1, x) AS m FROM left_bag) AS l WHERE EXISTS (SELECT 1 FROM right_bag AS r WHERE r.x = m[1])

SELECT x, q FROM (SELECT x, map(1, x) AS m FROM left_bag) AS l, LATERAL (SELECT m[1] + r.x AS q FROM right_bag AS r WHERE m[l.x] >= r.x)

SELECT x AS k, count(*) AS n FROM left_bag GROUP BY x HAVING NOT EXISTS (SELECT 1 FROM right_bag WHERE right_bag.x = left_bag.x)

SELECT x + 1 AS k, count(*) FROM left_bag GROUP BY x + 1 HAVING EXISTS (SELECT 1 FROM right_bag r WHERE r.x = k)

SELECT 1 + x AS k, count(*) FROM left_bag GROUP BY x + 1 HAVING EXISTS (SELECT 1 FROM right_bag r WHERE r.x = k)

SELECT (x + 1) * 2 AS k, count(*) FROM left_bag GROUP BY x + 1 HAVING EXISTS (SELECT 1 FROM right_bag r WHERE r.x = k)

SELECT max(x) + 1 AS k, count(*) FROM left_bag GROUP BY y HAVING EXISTS (SELECT 1 FROM right_bag r WHERE r.x < k)

SELECT x + 1 AS k, 2 AS two FROM left_bag GROUP BY 1 HAVING k IN (SELECT x FROM right_bag WHERE right_bag.x = k AND two > 1)

SELECT x FROM left_bag WHERE x IN (SELECT k FROM (SELECT x AS k, length(y) AS n, count(*) AS c FROM right_bag GROUP BY x, length(y) HAVING count(*) > 0)) AND y = (SELECT max(m) FROM (SELECT y AS m, count(*) AS c FROM left_bag GROUP BY y HAVING count(*) > 0))

SELECT * FROM left_bag WHERE x IN (SELECT n AS other FROM (SELECT x AS n FROM right_bag) WHERE n > 0)

SELECT (x, 'it''s', -1, 1.5D, NULL, l.y) IN (SELECT r.x, 'a', 1, 2.0D, 'b', 'c' FROM right_bag r) FROM left_bag l

SELECT (x + 1, true, upper(y), DATE '2020-01-01', r.p) NOT IN (SELECT 1, true, y, current_date, x FROM left_bag) FROM (SELECT *, named_struct('p', x) AS r FROM left_bag) l

SELECT (x + 1, upper(y), x z) IN (SELECT 1, y, x FROM left_bag) FROM left_bag

SELECT * FROM VALUES (1, 9) t1(c1, c2) JOIN LATERAL (SELECT sum(c1) AS s FROM VALUES (3, 2) lhs(c1, c2) LEFT SEMI JOIN VALUES (3, 4) rhs(c1, c2) ON lhs.c1 = rhs.c1 AND rhs.c2 > t1.c2)

SELECT x, (SELECT count(*) FROM right_bag r LEFT ANTI JOIN left_bag i ON r.x = i.x AND i.y = l.y) AS n FROM left_bag l

SELECT x FROM left_bag l WHERE EXISTS (SELECT * FROM right_bag r SEMI JOIN left_bag i ON r.x = i.x AND r.y > l.y)

SELECT x FROM left_bag l WHERE x IN (SELECT x FROM right_bag r ANTI JOIN left_bag i ON r.x < i.x AND l.x = 2 AND i.x < l.x)

SELECT x, (SELECT max(r.y) FROM right_bag r SEMI JOIN left_bag i ON r.x = l.x AND r.y IN (SELECT y FROM left_bag)) AS m FROM left_bag l

SELECT x, n FROM left_bag l, LATERAL (FROM right_bag r |> LEFT ANTI JOIN left_bag i ON r.y = i.y AND i.x = l.x |> AGGREGATE count(*) AS n)

SELECT x, outer_x FROM left_bag l, LATERAL (SELECT outer_x FROM (SELECT x AS outer_x, y FROM right_bag) r SEMI JOIN left_bag i ON outer_x = i.x AND i.x >= l.x)

SELECT id FROM customers c WHERE EXISTS (SELECT 1 FROM (SELECT 1) SEMI JOIN orders o ON o.customer_id = c.id)

SELECT o.x FROM left_bag o WHERE EXISTS (SELECT z.x FROM (SELECT z.x, count(*) AS n FROM (SELECT x + 1 AS x, y FROM right_bag) z WHERE z.y = o.y GROUP BY z.x) z WHERE z.n < o.x) AND o.x + 1 IN (SELECT z.x FROM (SELECT x + 1 AS x, y FROM right_bag) z)

SELECT o.x FROM left_bag o WHERE EXISTS (SELECT z.x FROM (SELECT z.x, l.y AS k FROM left_bag l JOIN (SELECT x, y FROM (SELECT x + 1 AS x, y FROM right_bag) z WHERE x > o.x) z ON l.y = z.y) z WHERE z.k = o.y) OR o.x IN (SELECT z.x FROM (SELECT x + 1 AS x, y FROM right_bag) z)

SELECT x + 1 AS a, a * 2 AS b, b + a AS c FROM left_bag

SELECT x AS y, y AS z FROM left_bag

SELECT 1 AS a, a + 1 AS b

SELECT sum(x) AS s, s + 1 AS t FROM left_bag

SELECT y, count(*) AS n, n * 2 AS m FROM left_bag GROUP BY y

SELECT x AS a, a AS b, b FROM left_bag LATERAL VIEW explode(array(1)) t AS b

SELECT x, e FROM left_bag LATERAL VIEW explode(array(1, 2)) t AS e

SELECT product, tag FROM products LATERAL VIEW explode(tags) t AS tag

SELECT product, tag FROM products LATERAL VIEW OUTER explode(tags) t AS tag

SELECT product, k, v FROM products LATERAL VIEW explode(attributes) t AS k, v

SELECT product, t.key, t.value FROM products LATERAL VIEW explode(attributes) t

SELECT product, pos, tag FROM products LATERAL VIEW posexplode(tags) t AS pos, tag

SELECT product, a, b FROM products LATERAL VIEW explode(tags) t AS a LATERAL VIEW explode(array(a, 'z')) u AS b

SELECT product, col FROM products LATERAL VIEW explode(tags) t

SELECT product, explode(tags) FROM products

SELECT product, explode(tags) AS tag FROM products

SELECT product, explode(attributes) FROM products

SELECT product, explode(attributes) AS (name, amount) FROM products

SELECT posexplode(tags) FROM products

SELECT explode(array(1, 2, 3))

SELECT explode(array(1, 2, 3)) AS e ORDER BY e DESC

SELECT explode_outer(tags) AS tag, product FROM products

SELECT * FROM explode(array(1, 2))

SELECT * FROM explode(array(1, 2)) AS t(n)

SELECT t.n FROM explode(array(1, 2)) t(n) WHERE t.n > 1

SELECT * FROM range(3)

SELECT id FROM range(1, 10, 3) r

SELECT count(*) FROM range(5) a, range(4) b

SELECT stack(2, 1, 'a', 2, 'b')

SELECT * FROM left_bag, LATERAL (SELECT x + 1 AS z), LATERAL (SELECT z + 1 AS w)

SELECT * FROM left_bag l, LATERAL (SELECT * FROM right_bag r WHERE r.x = l.x ORDER BY r.y LIMIT 1)

SELECT * FROM left_bag JOIN LATERAL explode(array(x, x + 1)) AS t(z)

SELECT e.n FROM (SELECT explode(array(1, 2)) AS n) e

SELECT explode(tags) AS tag, count(*) OVER () AS n FROM products

SELECT product, (SELECT max(t) FROM explode(products.tags) AS e(t)) AS last FROM products

SELECT product, t FROM products, LATERAL (SELECT t FROM (SELECT explode(tags) AS t) WHERE t > 'a')

SELECT product FROM products WHERE 'x' IN (SELECT explode(tags))

SELECT product FROM products WHERE EXISTS (SELECT 1 FROM posexplode(tags) AS e(p, t) WHERE p > 0)

SELECT product, n FROM products, LATERAL (SELECT count(*) AS n FROM explode(tags))

SELECT l.x, z.* FROM left_bag l, LATERAL (SELECT l.*, r.y AS other FROM right_bag r WHERE r.x = l.x) z

SELECT * FROM left_bag l, LATERAL (SELECT x + 1, upper(l.y))

SELECT 7 AS y, explode(array(1, 2)) AS x

SELECT * FROM range(0, 10, 2, 3)

SELECT * FROM range(1 + 1, '6')

SELECT count(*) AS c FROM events TABLESAMPLE (1 + 1 ROWS)

SELECT count(*) AS c FROM events TABLESAMPLE (abs(-3) ROWS) AS t

SELECT * FROM UNNEST(array(named_struct('a', 1, 'b', 2), NULL))

SELECT u.r.a, o FROM UNNEST(array(named_struct('a', 1, 'b', 2), NULL)) WITH ORDINALITY AS u(r, o)

SELECT x, col, ordinality FROM left_bag, LATERAL UNNEST(array(x, 7)) WITH ORDINALITY WHERE ordinality > 1

SELECT x, e FROM left_bag LEFT JOIN LATERAL UNNEST(CASE WHEN x > 1 THEN array(x, 7) END) AS u(e) ON true

SELECT * FROM UNNEST(array(1, 2), array('a'), CAST(NULL AS ARRAY<DATE>))

SELECT y, x FROM UNNEST(array(named_struct('p', 1, 'q', 'b')), array(2.5, NULL)) AS u(x, y) WHERE x.p = 1 OR x IS NULL

SELECT l.x, col1, ordinality FROM left_bag AS l, LATERAL UNNEST(array(x, 7), array(y)) WITH ORDINALITY WHERE ordinality > 1

SELECT x, a, b FROM left_bag LEFT JOIN LATERAL UNNEST(CASE WHEN x > 1 THEN array(x, 7) END, CASE WHEN x > 2 THEN array(y) END) AS u(a, b) ON true

SELECT a.l, u.* FROM (SELECT array(1, NULL) AS l) AS a, (SELECT array('x') AS l) AS b, LATERAL UNNEST(a.l, b.l) WITH ORDINALITY AS u(p, q, n)

SELECT * FROM UNNEST(CAST(NULL AS ARRAY<INT>), CAST(array() AS ARRAY<STRING>))

SELECT x, e, n FROM left_bag LEFT JOIN LATERAL UNNEST(array(x, 2)) WITH ORDINALITY AS u(e, n) ON n = 2 AND u.e = x

SELECT x, y, col0, ordinality FROM left_bag LEFT JOIN LATERAL UNNEST(array(x), array(y, y)) WITH ORDINALITY ON ordinality = x OR col0 IS NULL

SELECT x, u.e.p FROM left_bag JOIN LATERAL UNNEST(array(named_struct('p', x), NULL)) WITH ORDINALITY AS u(e, n) ON n < 2 AND e.p > 1

SELECT e + x AS s, s * 2 AS d, x, explode(array(x, 10)) AS e FROM left_bag

SELECT y, e, explode(array(f, 5)) AS e, posexplode(array(x, x)) AS (p, f), p + 1 AS q FROM left_bag WHERE x < 3

SELECT y, x, explode(array(10)) AS x, x + 1 AS z FROM left_bag

SELECT (SELECT max(r.x) FROM right_bag r WHERE r.x >= e) AS m, explode(array(x, 2)) AS e FROM left_bag WHERE x IS NOT NULL

SELECT transform(array(1), v -> v + e) AS t, count(*) OVER (PARTITION BY e) AS c, explode(array(1, 2)) AS e FROM left_bag

SELECT col + pos AS s, posexplode(array(7, x)) FROM left_bag ORDER BY s

SELECT r.p AS q, *, explode(array(named_struct('p', x))) AS r FROM left_bag

FROM left_bag |> EXTEND e + 1 AS f, explode(array(x)) AS e |> WHERE f > 2

SELECT l.x, n.y FROM left_bag l LEFT JOIN LATERAL (SELECT * FROM right_bag r WHERE r.x = l.x) AS n ON l.y = n.y UNION ALL SELECT l.x, n.y FROM left_bag l LEFT JOIN LATERAL (SELECT * FROM right_bag r WHERE r.x = l.x) AS n ON l.y = n.y

SELECT x, v FROM left_bag LEFT JOIN LATERAL explode(array(x, 2)) AS e(v) ON v > 1 UNION SELECT x, v FROM left_bag LEFT JOIN LATERAL explode(array(x, 2)) AS e(v) ON v > 1

SELECT a.x, b.v FROM (SELECT x, v FROM left_bag LEFT JOIN LATERAL explode(array(x, 2)) AS e(v) ON v > x) a JOIN (SELECT x, v FROM left_bag LEFT JOIN LATERAL explode(array(x, 2)) AS e(v) ON v > x) b ON a.v = b.v

SELECT * FROM left_bag l, LATERAL (SELECT r.x FROM left_bag r WHERE r.x = l.x) t ORDER BY x, y

SELECT l.y, t.x FROM left_bag l JOIN LATERAL (SELECT max(r.x) AS x FROM left_bag r WHERE r.y < l.y) t SORT BY x + 1, l.y

SELECT l.y FROM left_bag l, LATERAL (SELECT l.x + 1 AS x) t, LATERAL (SELECT t.x + 1 AS y, 1 AS z) u ORDER BY y, l.x

SELECT * FROM (SELECT l.x, l.y, t.n FROM left_bag AS l LEFT JOIN LATERAL (SELECT max(r.x) AS n FROM right_bag AS r WHERE r.x = l.x) AS t ON l.x = t.n) UNPIVOT (value FOR name IN (n))

SELECT x FROM left_bag AS l WHERE EXISTS (SELECT * FROM right_bag AS m, LATERAL (SELECT r.x AS n FROM right_bag AS r WHERE r.x = m.x AND EXISTS (SELECT * FROM (SELECT x FROM left_bag ORDER BY x LIMIT 3) AS f JOIN right_bag AS g ON f.x = g.x WHERE f.x = r.x)) AS t WHERE m.x = l.x)

SELECT l.x, t.m FROM left_bag l LEFT JOIN LATERAL (SELECT max_by(r.x + 1, r.x) AS m FROM right_bag r WHERE r.x >= l.x) t ON TRUE

SELECT l.x, t.xs FROM left_bag l, LATERAL (SELECT sort_array(collect_list(r.x)) AS xs FROM right_bag r WHERE r.x = l.x) t

SELECT l.x, e.v FROM left_bag l, LATERAL explode((SELECT sort_array(array_agg(x)) FROM right_bag)) AS e(v)

SELECT x FROM left_bag AS l WHERE EXISTS (SELECT * FROM right_bag AS m JOIN LATERAL (SELECT count(*) AS n FROM right_bag AS r WHERE r.x = m.x) AS t ON m.x > t.n WHERE m.x = l.x AND t.n < l.y)

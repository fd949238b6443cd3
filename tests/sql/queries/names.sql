SELECT X, Y FROM LEFT_BAG

SELECT Left_Bag.X AS Col FROM left_bag

SELECT L.X, l.x FROM left_bag L

SELECT 1 AS 1a, 2 AS _b, 3 AS a1

SELECT t.1a FROM (SELECT 1 AS 1a) t

SELECT year, first, window, date, key, value, timestamp FROM (SELECT 1 AS year, 2 AS first, 3 AS window, 4 AS date, 5 AS key, 6 AS value, 7 AS timestamp)

SELECT t.select, t.from, t.where FROM (SELECT 1 AS select, 2 AS from, 3 AS where) t

SELECT 1 AS interval, 2 AS row, 3 AS rows, 4 AS partition, 5 AS filter, 6 AS any, 7 AS all

SELECT `x` AS `X Y`, `y` AS `y.z` FROM left_bag

SELECT `a.b`.`c` FROM (SELECT 1 AS c) AS `a.b`

SELECT a.b.c FROM (SELECT struct(struct(1 AS c) AS b) AS a)

SELECT a.b.c FROM (SELECT struct(1 AS c) AS b) AS a

SELECT s.S.s FROM (SELECT struct(1 AS s) AS s) AS s

SELECT x x, y AS y FROM left_bag

SELECT x, X FROM left_bag

SELECT x AS a, y AS A FROM left_bag

SELECT left, right FROM (SELECT 1 AS left, 2 AS right)

SELECT count FROM (SELECT 1 AS count)

SELECT sum, sum(sum) AS s FROM (SELECT 1 AS sum) GROUP BY sum

SELECT user, current FROM (SELECT 1 AS user, 2 AS current)

SELECT t.* FROM left_bag t

SELECT ordered_at, Ordered_At AS o FROM orders

SELECT limit, offset, order FROM (SELECT 1 AS limit, 2 AS offset, 3 AS order)

SELECT group, having, union, except FROM (SELECT 1 AS group, 2 AS having, 3 AS union, 4 AS except)

SELECT values, table, lateral FROM (SELECT 1 AS values, 2 AS table, 3 AS lateral)

SELECT and, or, in, is, like, between FROM (SELECT 1 AS and, 2 AS or, 3 AS in, 4 AS is, 5 AS like, 6 AS between)

SELECT end, else, then FROM (SELECT 1 AS end, 2 AS else, 3 AS then)

SELECT as, by, desc, asc, nulls, last FROM (SELECT 1 AS as, 2 AS by, 3 AS desc, 4 AS asc, 5 AS nulls, 6 AS last)

SELECT cast, extract, trim, substring, position, overlay FROM (SELECT 1 AS cast, 2 AS extract, 3 AS trim, 4 AS substring, 5 AS position, 6 AS overlay)

SELECT exists, distinct_x, with, recursive FROM (SELECT 1 AS exists, 2 AS distinct_x, 3 AS with, 4 AS recursive)

SELECT cube, rollup, grouping, sets, over, qualify FROM (SELECT 1 AS cube, 2 AS rollup, 3 AS grouping, 4 AS sets, 5 AS over, 6 AS qualify)

SELECT pivot, unpivot, tablesample, cross, full, inner FROM (SELECT 1 AS pivot, 2 AS unpivot, 3 AS tablesample, 4 AS cross, 5 AS full, 6 AS inner)

SELECT day, month, hour, minute, second, week, days FROM (SELECT 1 AS day, 2 AS month, 3 AS hour, 4 AS minute, 5 AS second, 6 AS week, 7 AS days)

SELECT intersect, minus, semi, anti, fetch, for, system FROM (SELECT 1 AS intersect, 2 AS minus, 3 AS semi, 4 AS anti, 5 AS fetch, 6 AS for, 7 AS system)

SELECT version, both, leading, trailing, unknown, escape FROM (SELECT 1 AS version, 2 AS both, 3 AS leading, 4 AS trailing, 5 AS unknown, 6 AS escape)

SELECT div, collate, array, map, struct, named FROM (SELECT 1 AS div, 2 AS collate, 3 AS array, 4 AS map, 5 AS struct, 6 AS named)

SELECT values, order, case, all FROM (SELECT 1 AS values, 2 AS order, 3 AS case, 4 AS all)

SELECT x desc, y and, x between FROM left_bag

SELECT not, distinct.y FROM (SELECT x AS not, y FROM left_bag) AS distinct CROSS JOIN (SELECT 1 AS z) with

WITH table AS (SELECT 1 AS from), values AS (SELECT 2 AS select) SELECT from, select FROM table, values

SELECT t.end, t.when FROM (SELECT x AS end, x > 1 AS when FROM left_bag) t WHERE CASE WHEN when THEN end END = 2

SELECT x FROM left_bag and JOIN right_bag by USING (x) ORDER BY by.y, and.y

SELECT sum(interval) AS all FROM (SELECT x AS interval FROM left_bag) GROUP BY interval ORDER BY all, interval

SELECT (left_bag).x, ((left_bag)).y, (left_bag.x) + 1 FROM left_bag

SELECT (l).x + (r).x FROM left_bag AS l JOIN left_bag AS r ON (l).x = (r).x

SELECT (t.t).a, (t).b, ((t).t).a + 1 FROM VALUES (1, NAMED_STRUCT('a', 5)) AS t(b, t)

SELECT IDENTIFIER('x'), IDENTIFIER('left_bag.y'), IDENTIFIER('X') + 1, ABS(IDENTIFIER('x')) FROM left_bag

SELECT x, grouping__id, GROUPING__ID + 1, COUNT(*) AS n FROM left_bag GROUP BY ROLLUP(x, y) HAVING grouping__id > 0 ORDER BY grouping__id, x

SELECT COUNT(DISTINCT *), COUNT(DISTINCT * EXCEPT (y)), COUNT(DISTINCT *) FILTER (WHERE x > 1), COUNT(*) FROM left_bag

SELECT WINDOW_TIME(window) AS t, COUNT(*) AS n FROM VALUES (TIMESTAMP_NTZ '2020-01-01 00:10:00', 1) AS t(ts, k) GROUP BY k, WINDOW_TIME(window), WINDOW(ts, '1 hour')

SELECT WINDOW_TIME(window) AS t FROM (SELECT window, COUNT(*) AS n FROM VALUES (TIMESTAMP_NTZ '2020-01-01 00:00:00') AS t(ts) GROUP BY WINDOW(ts, '1 hour'))

SELECT id + 1 AS id, RANK() OVER (ORDER BY id) AS s FROM RANGE(3)

SELECT IDENTIFIER('y' || '') AS a, IDENTIFIER(('up' || 'per'))(y), IDENTIFIER('coal' || 'esce')(x, 0) FROM left_bag

SELECT IDENTIFIER(lower('X')) AS a, IDENTIFIER(concat('left_', 'bag.x')), IDENTIFIER(upper('su') || 'm')(x) OVER () AS s FROM left_bag

SELECT * FROM IDENTIFIER('ran' || 'ge')(3) AS r(n), LATERAL IDENTIFIER('explode')(array(n, n)) AS e(m)

SELECT 3 * (TIMESTAMP '2024-01-02 00:00:00' - DATE '2024-01-01'), 2 * -INTERVAL '1' DAY, DATE '2024-01-01' - '2023-12-31', DATE '2024-01-01' + NULL, DATE '2024-01-01' - NULL

SELECT '2024-01-01' + INTERVAL 1 DAY, INTERVAL '1' HOUR + '2024-01-31', '2024-01-01' - INTERVAL 1 HOUR

SELECT TIME '08:30' + INTERVAL '1' HOUR, INTERVAL 5 MINUTES + TIME '08:30', TIME '08:30' - TIME '07:00', TIME '08:30' - '07:00', NULL + TIME '08:30', TIME '08:30' - NULL

SELECT div(7, 2), div(INTERVAL '1' YEAR, INTERVAL '5' MONTH), ilike('A%', 'a/%', '/'), from_json('{"a": 1}', 'MAP<STRING, INT>')

SELECT transform(array(array(x)), z -> aggregate(z, 0, (a, e) -> a + e * size(z))) FROM left_bag

SELECT lpad(c, 9), rpad(c, 9), mask(c) FROM (SELECT y COLLATE UTF8_LCASE AS c FROM left_bag)

SELECT user, session_user, current_user

SELECT explode(array(x, 10)) AS e, e + 1 AS f FROM left_bag

SELECT named_struct('a', x) AS st FROM left_bag ORDER BY st.a NULLS LAST

SELECT ( * ) FROM left_bag

SELECT IDENTIFIER('abs')(IDENTIFIER('l.x')) AS IDENTIFIER('a') FROM IDENTIFIER('left_' || 'bag') AS l

SELECT lateral.x FROM (SELECT explode(array(struct(1 AS x))) AS lateral)

SELECT t.id FROM range(1, 3) AS t WHERE (SELECT u.id FROM range(1, 2) AS u WHERE u.id = t.id) IS NOT NULL

SELECT x, min(x) OVER w AS min, min(x) OVER w AS again FROM left_bag WINDOW w AS ()

SELECT 2 > 1.1, 1.1 < 2, x <= 2.5, x = 1.0 FROM left_bag

SELECT window['start'] + INTERVAL 1 HOUR, window.end - INTERVAL '1' DAY FROM (SELECT window(ts, '1 hour') AS window FROM events)

SELECT (v div 2), (div(v, 2)), date_add(day, 1) + INTERVAL 1 DAY AS later, day - '2024-01-01' FROM events

SELECT named_struct('a', 1).IDENTIFIER('a') AS a, IDENTIFIER('size').IDENTIFIER('width') AS w FROM IDENTIFIER('programs').IDENTIFIER('products')

SELECT row_number() OVER IDENTIFIER('w') AS n, l.x AS IDENTIFIER('a' 'b') FROM left_bag IDENTIFIER('l') JOIN right_bag AS r USING (IDENTIFIER('x')) WINDOW IDENTIFIER('w') AS (ORDER BY l.x)

WITH IDENTIFIER('v')(IDENTIFIER('c')) AS (SELECT x FROM left_bag) SELECT c FROM v

SELECT x FROM (SELECT *, x FROM left_bag)

SELECT l.x, l.y FROM (SELECT x, y, x FROM left_bag) l ORDER BY x, l.y

WITH a AS (SELECT x, x FROM left_bag) SELECT a.x, b.x, b.* FROM a JOIN a AS b ON a.x = b.x

SELECT x FROM (SELECT x, x FROM left_bag UNION ALL SELECT 1, 2) u(x, z) JOIN (SELECT y, y FROM right_bag) r ON r.y = 'a'

SELECT 2 IN (*), 3 NOT IN (n.*, 7) FROM (SELECT x, x + 1 AS z FROM left_bag) n

SELECT * EXCEPT (x, y), 1 AS z FROM left_bag

SELECT o.* EXCEPT (p.q), o.* EXCEPT (s) FROM (SELECT named_struct('p', named_struct('q', x, 'r', y), 's', 1) AS o FROM left_bag)

SELECT *, 1 AS one

SELECT x, z FROM left_bag, LATERAL (SELECT *, x + 1 AS z)

SELECT z FROM (SELECT x + 1 AS z, z FROM left_bag)

SELECT x FROM (SELECT x, x FROM left_bag EXCEPT SELECT 9, 9)

SELECT x FROM (SELECT x, x FROM left_bag UNION ALL SELECT 1, 2)

SELECT * FROM (SELECT x, x FROM left_bag) NATURAL JOIN right_bag

SELECT (SELECT max(r.x) FROM right_bag r WHERE r.x = l.x AND r.y = l.y AND r.x < l.x + 1) FROM left_bag l

SELECT explode(array(x, 2)) AS e, e + 1 FROM left_bag

SELECT struct(x, y) IN (SELECT x, y FROM right_bag WHERE y IS NOT NULL) FROM left_bag

SELECT named_struct('f', 1) AS x FROM left_bag GROUP BY x HAVING x.f > 0

SELECT (NULL).a, n.a, n.a.b FROM (SELECT NULL AS n)

SELECT map('a', 1).a, map('a', map('b', 1)).a.b, map('a', struct(1 AS b)).a.b

SELECT s.m.a, s.m.a + 1, s.m.a || s.t.b FROM (SELECT struct(map('a', 1) AS m, struct('x' AS b) AS t) AS s)

SELECT date_part(NULL, x), datepart(NULL, y), date_part(CAST(NULL AS STRING), x), date_part(NULL, NULL) FROM left_bag

SELECT first_value(y) RESPECT NULLS OVER (ORDER BY x, y), last_value(y) RESPECT NULLS OVER (ORDER BY x, y) FROM left_bag

SELECT * FROM (SELECT x AS k FROM left_bag), LATERAL (SELECT 'k', k)

SELECT 'b', b, abs(-1), `abs(-1)` + 1

SELECT IDENTIFIER('``') FROM (SELECT x AS `` FROM left_bag)

SELECT 5, `5` + 1, x + 1, `(x + 1)` * 2, (SELECT max(x) FROM right_bag) AS m, m + 1 FROM left_bag

SELECT count(*), `count(1)` + 1, max(x), `max(x)` + `count(1)` FROM left_bag GROUP BY y

SELECT upper(session_user) = upper(user), session_user = current_user, user, session_user() FROM left_bag

SELECT (1, named_struct('q', 1).q, array(named_struct('s', 1))[0].s, map('k', 1)['k'], map('k', 1).k, array(1)[0]) AS c

SELECT struct(1, named_struct('q', 1).q, from_json('{"a": 1}', 'a INT').a, (x), (l.x), x + 1) AS c, (x + 1, (x), (l.x)) AS d FROM left_bag l

SELECT struct(m['k'], m['a' 'b'], m[r'k'], m[concat('a', 'b')], st.x, st['x'], st.y[0], (st).x, (m)['k']) AS c FROM (SELECT map('k', 1, 'ab', 2) AS m, named_struct('x', 1, 'y', array(1)) AS st)

SELECT (parse_json('{"a": 1}'):a, 1) AS c, struct(v:a[0], v:a['k'], v:a.b, v:['z']) AS d FROM (SELECT parse_json('{"a": {"b": 1}}') AS v)

SELECT (window(ts, '5 minutes').start, 1) AS c FROM events

SELECT (1, named_struct('q', 1).q, (2)), struct(1, named_struct('q', 1).q)

SELECT CURRENT_PATH, current_path() AS p, t.current_path FROM (SELECT x AS current_path FROM left_bag) t WHERE CURRENT_PATH <> 'a'

SELECT y AS x, y AS x FROM left_bag ORDER BY x DESC, 1 LIMIT 2

SELECT -x AS x, -x AS x FROM left_bag ORDER BY x LIMIT 3

SELECT x AS y, x AS y FROM left_bag SORT BY y

SELECT x, x FROM left_bag ORDER BY x DESC LIMIT 2

SELECT named_struct('product', 1) AS size FROM products GROUP BY size HAVING size.product > 0

SELECT named_struct('width', -1) AS size FROM products GROUP BY size HAVING size.width > 0 ORDER BY size.width

SELECT size AS product FROM products GROUP BY size HAVING product.width > 1 ORDER BY product.width

SELECT -x AS x FROM left_bag QUALIFY row_number() OVER (ORDER BY x DESC NULLS LAST) = 1

SELECT -x AS x, y AS z FROM left_bag QUALIFY count(*) OVER (PARTITION BY z) > 1 AND x > 0

SELECT y AS x, count(*) AS n FROM left_bag GROUP BY y, left_bag.x QUALIFY row_number() OVER (ORDER BY x DESC NULLS LAST) = 1

SELECT size.width, count(*) OVER () AS n FROM products QUALIFY width > 1

SELECT l.y AS x, count(*) OVER (PARTITION BY l.y) AS n FROM left_bag l JOIN left_bag r ON l.x = r.x QUALIFY n > 1 AND x >= 'a'

SELECT r.y, sum(l.x + 0) OVER (PARTITION BY r.x) AS n FROM left_bag l LEFT JOIN right_bag r USING (x) QUALIFY x > 0

SELECT l.y, sum(l.x + 0) OVER (PARTITION BY l.y) + r.x AS n FROM left_bag l LEFT JOIN right_bag r ON l.x = r.x QUALIFY x > 0

SELECT r.*, sum(l.x + 0) OVER (PARTITION BY l.y) AS n FROM left_bag l LEFT JOIN right_bag r ON l.x = r.x QUALIFY x > 0

SELECT r.x, sum(l.x + 0) OVER (PARTITION BY l.y) AS n FROM left_bag l LEFT JOIN right_bag r USING (x) QUALIFY count(x) OVER () > 1 AND l.x > 0

SELECT x + 100 AS x, sum(x) OVER (PARTITION BY y) AS n FROM (SELECT x AS z, x, y FROM left_bag) AS l QUALIFY sum(n) OVER () > 1 AND z > 0

SELECT x + 100 AS x, count(*) OVER (PARTITION BY y) AS n FROM left_bag QUALIFY sum(x) OVER () > 300 AND x > 101

SELECT n.*, sum(x) OVER (PARTITION BY y) AS n FROM (SELECT x, x, y FROM left_bag) AS n QUALIFY x > 1

SELECT l.y, count(*) OVER (PARTITION BY r.x) AS n FROM left_bag l LEFT JOIN right_bag r USING (x) QUALIFY n > 0 AND EXISTS (SELECT * FROM (SELECT x AS z FROM right_bag) AS b WHERE z = x)

SELECT count(*) AS n, sum(count(*)) OVER (PARTITION BY r.x) AS m FROM left_bag l LEFT JOIN right_bag r ON l.x = r.x GROUP BY l.x, r.x QUALIFY x > 0

SELECT * FROM (SELECT named_struct('x', -x) AS r, x AS z FROM left_bag) l JOIN right_bag r ON l.z >= r.x ORDER BY r.x DESC, r.y, z LIMIT 2

SELECT l.r, r.x AS x FROM (SELECT named_struct('x', -x) AS r, x AS z FROM left_bag) l JOIN right_bag r ON l.z >= r.x ORDER BY r.x DESC, x, r.y LIMIT 2

SELECT l.x FROM left_bag l UNION ALL SELECT x FROM right_bag ORDER BY l.x DESC LIMIT 2

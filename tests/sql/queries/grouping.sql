SELECT x, count(*) FROM left_bag GROUP BY x

SELECT count(*) FROM left_bag

SELECT count(*) FROM left_bag GROUP BY x

SELECT x, y, count(*) AS n FROM left_bag GROUP BY x, y

SELECT x + 1, count(*) FROM left_bag GROUP BY x + 1

SELECT x + 1 AS z, count(*) FROM left_bag GROUP BY z

SELECT x + 1, (x + 1) * 2, count(*) FROM left_bag GROUP BY x + 1

SELECT x AS a, count(*) FROM left_bag GROUP BY 1

SELECT x AS a, y AS b, count(*) FROM left_bag GROUP BY 2, 1

SELECT x, y, count(*) FROM left_bag GROUP BY ALL

SELECT x + 1 AS z, sum(x) FROM left_bag GROUP BY ALL

SELECT sum(x) FROM left_bag GROUP BY ALL

SELECT x, y, count(*) FROM left_bag GROUP BY GROUPING SETS ((x, y), (x), ())

SELECT x, y, count(*) FROM left_bag GROUP BY x, y GROUPING SETS ((x), (y))

SELECT x, y, count(*) FROM left_bag GROUP BY GROUPING SETS (x, y)

SELECT x, y, count(*) FROM left_bag GROUP BY CUBE (x, y)

SELECT x, y, count(*) FROM left_bag GROUP BY ROLLUP (x, y)

SELECT x, y, count(*) FROM left_bag GROUP BY x, y WITH ROLLUP

SELECT x, y, count(*) FROM left_bag GROUP BY x, y WITH CUBE

SELECT x, y, count(*) FROM left_bag GROUP BY x, ROLLUP (y)

SELECT x, y, count(*) FROM left_bag GROUP BY ROLLUP ((x, y))

SELECT x, y, count(*) FROM left_bag GROUP BY GROUPING SETS (ROLLUP (x, y), CUBE (x, y))

SELECT x, y, count(*) FROM left_bag GROUP BY GROUPING SETS (GROUPING SETS ((x), (y)), ())

SELECT x, grouping(x), count(*) FROM left_bag GROUP BY ROLLUP (x)

SELECT x, y, grouping_id(), count(*) FROM left_bag GROUP BY CUBE (x, y)

SELECT x, y, grouping_id(x, y) AS g FROM left_bag GROUP BY CUBE (x, y) HAVING grouping_id(x, y) > 0

SELECT x + 1 AS z, count(*) FROM left_bag GROUP BY ROLLUP (x + 1)

SELECT x AS a, y AS b, count(*) FROM left_bag GROUP BY ROLLUP (1, 2)

SELECT x AS a, count(*) FROM left_bag GROUP BY CUBE (a)

SELECT x, count(*) FROM left_bag GROUP BY x HAVING count(*) > 1

SELECT x, count(*) AS n FROM left_bag GROUP BY x HAVING n > 1

SELECT x, count(*) AS n FROM left_bag GROUP BY x HAVING n > 1 AND max(y) = 'a' AND x = 1

SELECT sum(x) AS s FROM left_bag HAVING sum(x) > 100

SELECT count(*) FROM left_bag HAVING count(*) > 1

SELECT 1 FROM left_bag HAVING true

SELECT x FROM left_bag GROUP BY x HAVING true

SELECT x, sum(x) FILTER (WHERE y = 'a') AS f FROM left_bag GROUP BY x

SELECT count(DISTINCT x), sum(DISTINCT x), avg(DISTINCT x) FROM left_bag

SELECT min(x), max(x), sum(x), avg(x), count(x) FROM left_bag

SELECT max(y) || 'z' AS m, sum(x) + count(*) AS s FROM left_bag

SELECT upper(y), count(*) FROM left_bag GROUP BY upper(y)

SELECT CASE WHEN x > 1 THEN 'big' ELSE 'small' END AS size, count(*) FROM left_bag GROUP BY CASE WHEN x > 1 THEN 'big' ELSE 'small' END

SELECT CASE WHEN x > 1 THEN 'big' ELSE 'small' END AS kind, count(*) FROM left_bag GROUP BY kind

SELECT l.x, count(*) FROM left_bag l GROUP BY l.x

SELECT x, count(*) FROM left_bag l GROUP BY l.x

SELECT l.x + 1, count(*) FROM left_bag l GROUP BY x + 1

SELECT x, x AS again, count(*) FROM left_bag GROUP BY x

SELECT x AS y, count(*) FROM left_bag GROUP BY y, x

SELECT sum(x) / count(x) AS mean, avg(x) FROM left_bag

SELECT first_value(x), last_value(y) FROM (SELECT * FROM left_bag ORDER BY x, y)

SELECT year(ordered_at) AS y, month(ordered_at) AS m, sum(amount) FROM orders GROUP BY year(ordered_at), month(ordered_at)

SELECT DISTINCT count(*) FROM left_bag GROUP BY x

SELECT DISTINCT x, count(*) AS n FROM left_bag GROUP BY x ORDER BY n DESC, x LIMIT 3

SELECT grouping(x) AS g, sum(count(*)) OVER (PARTITION BY grouping(x)) AS s FROM left_bag GROUP BY ROLLUP (x)

SELECT 'constant', count(*) FROM left_bag GROUP BY 'constant'

SELECT x, 'k' AS k, count(*) FROM left_bag GROUP BY x, k

SELECT size.width, count(*) FROM products GROUP BY size.width

SELECT y, sum(x) AS s FROM left_bag GROUP BY y HAVING s > (SELECT 1) ORDER BY s DESC

SELECT x % 2 AS parity, y, sum(x) FROM left_bag GROUP BY ALL HAVING count(*) > 0 ORDER BY ALL

SELECT x, y, grouping(x) + grouping(y) AS level, sum(x) FROM left_bag GROUP BY ROLLUP (x, y) HAVING grouping(y) = 0

SELECT x, sum(x) + 1, max(y) || '!' FROM left_bag GROUP BY x ORDER BY sum(x) + 1, x

SELECT count(*) AS n FROM left_bag WHERE x > 100

SELECT sum(x) AS s FROM left_bag WHERE x > 100 GROUP BY x

SELECT 1 FROM left_bag HAVING count(*) > 1

SELECT sum(x) FROM left_bag HAVING count(*) > 1 AND max(x) = 3

SELECT x, grouping_id(), grouping_id(x, y), count(*) + grouping_id() FROM left_bag GROUP BY CUBE (x, y)

SELECT k, day, e, sum(v) FROM events GROUP BY k, GROUPING SETS((day), (day, e), ()), ROLLUP(e)

SELECT k, day, count(*) FROM events GROUP BY GROUPING SETS((k, day), CUBE(k, day), ROLLUP(day))

SELECT y, count(*) AS n FROM left_bag GROUP BY x, y GROUPING SETS ((y), ())

SELECT x, y, sum(x) AS s, grouping(x) AS g FROM left_bag GROUP BY y, x GROUPING SETS ((x, y), (y))

SELECT x, grouping_id() AS g, count(*) AS n FROM left_bag GROUP BY x GROUPING SETS ((x))

SELECT count(x) AS n FROM left_bag WHERE x > 100 GROUP BY GROUPING SETS (())

SELECT x + 1 AS p, coalesce(y, '-') AS q, count(*) AS n FROM left_bag GROUP BY CUBE(x, y)

SELECT y, count(*) AS n FROM left_bag GROUP BY y, 1

SELECT x AS k, count(*) AS n FROM left_bag GROUP BY k % 2, k

SELECT x * 10 AS x, sum(x) AS s FROM left_bag GROUP BY left_bag.x HAVING x > 1

SELECT y, explode(sort_array(collect_list(x))) AS e FROM left_bag GROUP BY y ORDER BY y, e

SELECT explode(array(1, 2)) AS e FROM left_bag GROUP BY y ORDER BY 1

SELECT DISTINCT posexplode(array(x, x)) AS (p, e), p + 0 AS q FROM left_bag WHERE x = 1

SELECT max(all) AS m FROM VALUES (1, 2), (2, 2) AS t(a, all) GROUP BY all

SELECT x, y, concat(x, 'x') AS c, x + 1 AS n FROM left_bag GROUP BY GROUPING SETS ((x), (y))

SELECT k, k || '!' AS c, count(*) AS n FROM (SELECT 'a' AS k) GROUP BY ROLLUP (k)

SELECT count(*) AS n, grouping__id AS g FROM left_bag GROUP BY GROUPING SETS ((), ())

SELECT 1 AS one FROM left_bag GROUP BY GROUPING SETS (())

SELECT 1 AS one, grouping_id() AS g FROM left_bag WHERE false GROUP BY GROUPING SETS ((), ())

SELECT x AS a, a + 1 AS b, count(*) FROM left_bag GROUP BY a

SELECT x, count(*) FROM left_bag GROUP BY (1)

SELECT transform(array(x), e -> e) AS z FROM left_bag GROUP BY CUBE (x)

SELECT aggregate(array(x), 0L, (s, e) -> s + e, s -> transform(array(s), e -> e + x)) AS z FROM left_bag GROUP BY ROLLUP (x)

SELECT count(x) AS n, sum(x) + n FROM left_bag GROUP BY ALL

SELECT 1 + x, x * 2, sum(x + 1) FROM left_bag GROUP BY x + 1, 2 * x HAVING 1 + x > 1 ORDER BY 1 + x

SELECT quantity > line_order, NOT (line_order >= quantity), quantity IS NOT DISTINCT FROM line_order FROM lines GROUP BY line_order < quantity, line_order IS NOT DISTINCT FROM quantity

SELECT x IN (1, 2), (x = 1) OR (x = 2) OR x IS NULL FROM left_bag GROUP BY x IN (2, 1), x IS NULL OR (x = 2) OR (x = 1)

SELECT abs(1 + x) + 1, x & 1 & 3, nvl(x, 0) FROM left_bag GROUP BY abs(x + 1), 3 & 1 & x, coalesce(x, 0)

SELECT (x + 1) + x, 2 + x + 3 FROM left_bag GROUP BY x + x + 1, 3 + (2 + x)

SELECT x + 1, grouping(1 + x), count(*) FROM left_bag GROUP BY ROLLUP (x + 1)

SELECT x + 1, 1 + x, count(*) FROM left_bag GROUP BY GROUPING SETS ((x + 1), (1 + x))

SELECT sum(x) FROM left_bag GROUP BY y HAVING `sum(x)` > 0 ORDER BY `sum(x)` + 1

SELECT l.x, count(*) FROM left_bag l, right_bag r GROUP BY l.x HAVING x > 0 ORDER BY x + 1

SELECT 'b' HAVING b = 'b'

SELECT FIRST(x IGNORE NULLS), LAST(x IGNORE NULLS) + 1, ANY_VALUE(y IGNORE NULLS) AS v FROM left_bag

SELECT x, grouping_id() AS g, count(*) AS n FROM left_bag GROUP BY ROLLUP (x, y) HAVING grouping_id() > 0 ORDER BY g, x

SELECT x, y, grouping(y) AS g FROM left_bag GROUP BY CUBE (x, y) HAVING grouping(y) = 0 ORDER BY g, x, y

SELECT x AS k, grouping(x) AS g FROM left_bag GROUP BY CUBE (x, y) HAVING g = 1

SELECT 'a' AS a, y AS b, count(*) FROM left_bag GROUP BY ROLLUP (1, 2)

SELECT x + 1 AS a, 'k' AS b, 'k' || y AS c, grouping('k') AS g, count(*) FROM left_bag GROUP BY CUBE (x + 1, 'k'), y

SELECT 7 AS n, x, grouping_id(7, x) AS g, sum(x) + 7 AS s FROM left_bag GROUP BY GROUPING SETS ((1, 2), (2), ())

SELECT collect_set('a') RESPECT NULLS AS a, array_agg(1) RESPECT NULLS AS b, collect_list(x) RESPECT NULLS AS c FROM left_bag

SELECT x, x FROM left_bag GROUP BY ALL HAVING x > 1 ORDER BY ALL

SELECT x, x, count(*), count(*) FROM left_bag GROUP BY x, x HAVING count(*) > 1 ORDER BY 1, 2

SELECT x AS a, x AS b FROM left_bag GROUP BY 1, 2 HAVING a > 1 ORDER BY b

SELECT count(*) AS n FROM left_bag HAVING n

SELECT x FROM left_bag GROUP BY x HAVING x ORDER BY x

SELECT x FROM left_bag GROUP BY x HAVING 'true'

SELECT x FROM left_bag GROUP BY x HAVING NULL

SELECT x, row_number() OVER (ORDER BY x, y) AS r FROM left_bag QUALIFY r

SELECT x FROM left_bag QUALIFY row_number() OVER (ORDER BY x, y) - 1

SELECT *, count(*) AS n FROM left_bag GROUP BY GROUPING SETS ((1), (2), (1, 2))

SELECT *, count(*) AS n FROM left_bag GROUP BY ROLLUP (2, 1)

SELECT x, max(struct(left_bag.*)) AS m FROM left_bag GROUP BY 1 WITH CUBE

SELECT x, max(struct(left_bag.*)) AS m FROM left_bag GROUP BY y, ROLLUP (1)

SELECT y, first(x) AS f FROM (SELECT 1 AS x, 2 AS y) GROUP BY y HAVING f > 0

SELECT y, size(collect_list(x)) + 1 AS n FROM left_bag GROUP BY y HAVING n > 1 AND count(*) > 0

SELECT y, sum(x) + 1 AS n FROM left_bag GROUP BY y HAVING n > 1 ORDER BY max(x), y

SELECT y, sum(x) FROM left_bag GROUP BY y HAVING sum(x) > 1 AND y <> 'q' ORDER BY max(x), y

SELECT sum((SELECT max_by(x, x) FROM right_bag)) AS s, count(*) FILTER (WHERE x = (SELECT min_by(x, x) FROM right_bag)) AS n FROM left_bag

SELECT y, count(*) AS n FROM left_bag GROUP BY ROLLUP(y, (SELECT max_by(x, x) FROM right_bag))

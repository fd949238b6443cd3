FROM left_bag

FROM left_bag SELECT x

FROM left_bag l JOIN right_bag r ON l.x = r.x SELECT l.x WHERE l.x > 1

FROM left_bag |> WHERE x > 1

FROM left_bag |> SELECT x, y |> WHERE x IS NOT NULL |> ORDER BY x DESC |> LIMIT 2

TABLE left_bag |> SELECT x + 1 AS z

SELECT x FROM left_bag |> WHERE x = 1

(SELECT x FROM left_bag) |> WHERE x = 1

VALUES (1), (2) |> WHERE col1 > 1

FROM left_bag |> EXTEND x + 1 AS z

FROM left_bag |> EXTEND x + 1 AS z, z * 2 AS w

FROM left_bag |> SET x = x + 1

FROM left_bag |> SET x = x + 1, y = upper(y)

FROM left_bag |> SET x = x + 1, x = x * 2

FROM left_bag |> DROP y

FROM left_bag |> AS l |> SELECT l.x

FROM left_bag |> AGGREGATE count(*) AS n, sum(x)

FROM left_bag |> AGGREGATE sum(x) AS s GROUP BY y

FROM left_bag |> AGGREGATE GROUP BY y

FROM left_bag |> AGGREGATE count(*) GROUP BY y AS k, x + 1

FROM left_bag |> AGGREGATE count(*) AS n GROUP BY 2

FROM left_bag |> AS l |> JOIN right_bag r ON l.x = r.x |> SELECT l.x, r.y

FROM left_bag |> LEFT JOIN right_bag USING (x)

FROM left_bag |> AS l |> LEFT ANTI JOIN right_bag r ON l.x = r.x

FROM left_bag |> CROSS JOIN right_bag

FROM left_bag |> AS l |> JOIN LATERAL (SELECT l.x + 1 AS z) s ON true

FROM left_bag |> UNION ALL TABLE right_bag

FROM left_bag |> UNION ALL (SELECT * FROM right_bag) |> WHERE x = 1

FROM left_bag |> EXCEPT (SELECT * FROM right_bag)

FROM left_bag |> INTERSECT DISTINCT TABLE right_bag

FROM left_bag |> ORDER BY x NULLS LAST |> LIMIT 2 OFFSET 1

FROM left_bag |> SELECT DISTINCT x

FROM left_bag |> SELECT x, row_number() OVER w AS n WINDOW w AS (ORDER BY x, y) |> WHERE n < 3

FROM events |> SELECT k, v |> PIVOT (sum(v) FOR k IN ('a', 'b'))

FROM events |> SELECT e, v, v + 1 AS w |> UNPIVOT (amount FOR kind IN (v, w))

FROM left_bag |> TABLESAMPLE (100 PERCENT)

FROM left_bag |> WHERE x IN (FROM right_bag |> SELECT x)

SELECT * FROM (FROM left_bag |> SELECT x) AS s WHERE s.x = 1

WITH a AS (FROM left_bag |> SELECT x) FROM a |> AGGREGATE max(x) AS m

FROM left_bag |> EXTEND max(x) OVER () AS m |> WHERE x = m |> DROP m

FROM left_bag |> AGGREGATE count(*) AS n GROUP BY x |> WHERE n > 1 |> SELECT x

FROM left_bag |> WHERE x > 0 |> AGGREGATE sum(x) AS s GROUP BY y AS z |> ORDER BY z DESC |> LIMIT 1

SELECT 1 AS a |> EXTEND 2 AS b |> SELECT a + b AS c

FROM left_bag |> SELECT *, x * 2 AS twice

FROM left_bag, right_bag |> SELECT count(*) AS n

FROM left_bag AS l |> SELECT l.x AS k |> AS m |> WHERE m.k = 1

FROM left_bag |> SORT BY x DISTRIBUTE BY x

FROM left_bag |> ORDER BY x DESC ORDER BY y

VALUES (0), (1) AS v(n) |> SELECT n * 2 AS twice

FROM events |> EXTEND v * 2 AS dv |> SET v = v + 1 |> DROP instant, ts |> SELECT e, v, dv

FROM left_bag SELECT x WHERE x > 1 SELECT x * 10 WHERE x = 1

FROM left_bag SELECT y ORDER BY x DESC, y LIMIT 2

FROM left_bag |> SELECT /*+ COALESCE(1) */ DISTINCT x

FROM left_bag AS l |> DROP l.x

FROM left_bag |> AGGREGATE explode(collect_list(x)) GROUP BY y

TABLE left_bag |> AGGREGATE count(*) AS n GROUP BY x, y, x |> SELECT x, n

SELECT x FROM left_bag v |> SELECT v.x

SELECT x + 1 AS z, y FROM left_bag AS v |> WHERE v.y <> 'b' |> SELECT v.*, z

FROM left_bag |> WHERE left_bag.x > 1 |> SELECT left_bag.x |> EXTEND left_bag.x + 1 AS z |> ORDER BY left_bag.x

FROM left_bag |> EXTEND x + 1 AS z |> SET x = z |> DROP z |> SELECT x, left_bag.y

FROM left_bag |> AGGREGATE count(*) AS n GROUP BY left_bag.x |> WHERE left_bag.x > 1 |> SELECT left_bag.x, n

FROM left_bag |> UNION ALL TABLE right_bag |> WHERE left_bag.x = 1 |> SELECT DISTINCT left_bag.y

FROM left_bag a |> JOIN right_bag b ON a.x = b.x |> EXTEND a.x + b.x AS both |> WHERE b.x = 1 |> SELECT a.y, b.y, both

WITH c AS (SELECT x FROM left_bag) SELECT DISTINCT x FROM c |> SELECT c.x |> AGGREGATE count(c.x) AS n

FROM left_bag | WHERE x > 1

FROM left_bag | SELECT x, y | WHERE x IS NOT NULL | ORDER BY x DESC | LIMIT 2

SELECT x FROM left_bag WHERE x > 0 | WHERE x = 1

SELECT 1 | 2 | SELECT 3 AS z

FROM left_bag |> EXTEND x AS z | AS l | SELECT l.x

FROM left_bag |> EXTEND x | 4 AS bits | DROP x

FROM left_bag | LEFT JOIN right_bag USING (x)

FROM left_bag | UNION ALL (FROM right_bag | WHERE x = 2)

FROM left_bag | AGGREGATE sum(x) AS s GROUP BY y

FROM left_bag /* the rows */ | -- of which some
WHERE x > 1

SELECT * FROM (FROM left_bag | SELECT x) AS q | WHERE q.x > 1

SELECT x | (left('12', 1)) AS l, x | (aggregate(array(1, 2), 0, (a, b) -> a + b)) AS g FROM left_bag

SELECT x | (aggregate(array(array(1)), array(0), (a, b) -> b)[0]) AS i, 1 | (right('12', 1)::INT) AS c FROM left_bag

FROM left_bag |> EXTEND x |> DROP x

FROM left_bag |> EXTEND x, y AS z |> AS b |> DROP x, z

FROM left_bag |> SELECT x, count(*) AS n GROUP BY x |> WHERE n > 1

FROM left_bag |> SELECT x, x GROUP BY ALL

FROM left_bag |> SELECT y, sum(x) GROUP BY ROLLUP (y)

FROM left_bag |> SELECT DISTINCT x GROUP BY x, y

FROM left_bag |> SELECT x, count(*) OVER w AS n GROUP BY x WINDOW w AS (ORDER BY x)

FROM left_bag l |> JOIN right_bag r USING (y) |> EXTEND 1 AS o |> SELECT r.y, l.*, o

FROM left_bag l |> RIGHT JOIN right_bag r USING (y) |> EXTEND 1 AS o |> WHERE r.x > 0 |> SELECT l.*, r.*

FROM left_bag l |> FULL JOIN right_bag r USING (y) |> SET y = 'k' |> SELECT l.y, r.y, y

FROM left_bag l |> JOIN right_bag r USING (y) |> SELECT l.x |> ORDER BY r.y |> LIMIT 3 |> EXTEND r.y AS z

SELECT DISTINCT l.x FROM left_bag l LEFT JOIN right_bag r USING (y) |> SELECT r.*

FROM left_bag l |> JOIN right_bag r USING (y) |> SELECT r.* |> SELECT r.*

FROM left_bag l |> JOIN right_bag r USING (y) |> EXTEND 1 AS o |> JOIN left_bag t ON t.y = r.y |> SELECT r.y, t.*

FROM left_bag l |> JOIN right_bag r USING (y) |> DROP y |> WHERE EXISTS (SELECT 1 FROM left_bag t WHERE t.y = r.y)

FROM left_bag l |> JOIN right_bag r USING (y) |> EXTEND 1 AS o |> AGGREGATE count(*) AS n GROUP BY r.y

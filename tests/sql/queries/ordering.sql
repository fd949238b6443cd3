SELECT x, y FROM left_bag ORDER BY x

SELECT x, y FROM left_bag ORDER BY 2 DESC, 1 ASC

SELECT x AS k FROM left_bag ORDER BY k DESC NULLS LAST

SELECT x AS k FROM left_bag ORDER BY left_bag.y, k

SELECT x + 1 AS k FROM left_bag ORDER BY k * 2 + x

SELECT x AS y, y AS x FROM left_bag ORDER BY x, y

SELECT x AS y FROM left_bag ORDER BY y, left_bag.y

SELECT y FROM left_bag ORDER BY x NULLS FIRST, y

SELECT * FROM left_bag ORDER BY ALL

SELECT * FROM left_bag ORDER BY ALL DESC NULLS LAST

SELECT y, count(*) FROM left_bag GROUP BY y ORDER BY count(*) DESC, y

SELECT y, count(*) AS n FROM left_bag GROUP BY y ORDER BY n + 1, max(x), y

SELECT y FROM left_bag GROUP BY y ORDER BY max(x) NULLS LAST, y

SELECT y, sum(x) AS s FROM left_bag GROUP BY y ORDER BY sum(x) + 1 DESC NULLS FIRST, y

SELECT x FROM left_bag ORDER BY CASE WHEN x = 2 THEN 0 ELSE 1 END, x

SELECT x FROM left_bag ORDER BY x LIMIT 2

SELECT x FROM left_bag ORDER BY x NULLS LAST LIMIT 2 OFFSET 1

SELECT x FROM left_bag ORDER BY x OFFSET 3

SELECT x FROM left_bag ORDER BY x LIMIT ALL

SELECT x FROM left_bag LIMIT 0

SELECT x FROM (SELECT x FROM left_bag ORDER BY x LIMIT 3) ORDER BY x DESC

SELECT x FROM left_bag DISTRIBUTE BY x

SELECT x FROM left_bag l ORDER BY l.x, `l`.`y`

SELECT DISTINCT y FROM left_bag ORDER BY y DESC

SELECT x AS a, x AS b FROM left_bag ORDER BY a, b

SELECT x, x FROM left_bag ORDER BY x

SELECT x FROM left_bag ORDER BY 1 + 1, x

SELECT x AS `ORDER` FROM left_bag ORDER BY `ORDER`

SELECT sum(x) FROM left_bag ORDER BY 1

SELECT sum(x) AS s FROM left_bag HAVING s > 0 ORDER BY s

SELECT l.x FROM left_bag l JOIN right_bag r ON l.x = r.x ORDER BY r.y, l.x

SELECT upper(y) FROM left_bag ORDER BY upper(y)

SELECT x FROM left_bag ORDER BY x % 2, x

SELECT x FROM left_bag TABLESAMPLE (100 PERCENT)

SELECT x FROM left_bag TABLESAMPLE (100 PERCENT) REPEATABLE (3) AS s

SELECT x FROM left_bag TABLESAMPLE (10 ROWS)

SELECT x FROM left_bag TABLESAMPLE (BUCKET 1 OUT OF 1)

SELECT /*+ BROADCAST(r) */ l.x FROM left_bag l JOIN right_bag r ON l.x = r.x

SELECT /*+ REPARTITION(2) */ x FROM left_bag

SELECT /*+ REPARTITION(3, x), COALESCE(1) */ x FROM left_bag

SELECT /*+ MERGE(l, r) */ * FROM left_bag l JOIN right_bag r ON l.x = r.x

SELECT /*+ SHUFFLE_HASH(r) */ /*+ REPARTITION_BY_RANGE(x) */ l.x FROM left_bag l JOIN right_bag r ON l.x = r.x

SELECT /*+ MAPJOIN(right_bag) */ left_bag.x FROM left_bag JOIN right_bag ON left_bag.x = right_bag.x

SELECT /*+ UNKNOWN_HINT(a, 1) */ x FROM left_bag

SELECT /*+ REBALANCE(x) */ x FROM left_bag

SELECT x, y FROM left_bag SORT BY y DESC, x

SELECT x FROM left_bag SORT BY y

SELECT x AS z, y FROM left_bag SORT BY 2 DESC, z

SELECT x FROM left_bag DISTRIBUTE BY y, x + 1

SELECT x AS z FROM left_bag DISTRIBUTE BY z + x SORT BY z LIMIT 3

SELECT x, y FROM left_bag CLUSTER BY y, x % 2

SELECT x FROM left_bag CLUSTER BY 2

SELECT x FROM left_bag DISTRIBUTE BY (x, y), 'a'

SELECT * FROM left_bag UNION ALL SELECT * FROM right_bag DISTRIBUTE BY x SORT BY y

SELECT y FROM left_bag GROUP BY y SORT BY count(*)

SELECT count(*) AS n, y FROM left_bag GROUP BY y CLUSTER BY n

SELECT y, rank() OVER w AS r FROM left_bag DISTRIBUTE BY r SORT BY y WINDOW w AS (ORDER BY x)

SELECT DISTINCT y FROM left_bag CLUSTER BY y

FROM left_bag |> DISTRIBUTE BY x |> SORT BY y, x DESC NULLS FIRST

FROM left_bag |> DISTRIBUTE BY x SORT BY y |> WHERE x > 1

SELECT x FROM left_bag WHERE x IN (SELECT x FROM right_bag CLUSTER BY x)

SELECT x FROM left_bag DISTRIBUTE BY (SELECT max(x) FROM right_bag)

SELECT x + 1 FROM left_bag ORDER BY (1) DESC

SELECT x FROM left_bag ORDER BY 3000000000, +2, 1

SELECT x, (SELECT max(r.x) FROM right_bag r WHERE r.y = left_bag.y) AS m, x IN (SELECT x FROM right_bag) AS f FROM left_bag ORDER BY m + 1, f, (SELECT min(x) FROM right_bag)

SELECT x FROM left_bag GROUP BY x IN (SELECT x FROM right_bag WHERE x IS NOT NULL), x ORDER BY x IN (SELECT x FROM right_bag WHERE x IS NOT NULL), x

SELECT l.x, r.y FROM left_bag l JOIN right_bag r ON l.x = r.x ORDER BY -x, y || 'a', r.x + 1

SELECT abs(x), y FROM left_bag ORDER BY -`abs(x)`, y || 'a'

SELECT s.x, y FROM (SELECT named_struct('x', -x) AS s, x, y FROM left_bag) ORDER BY -x, y

SELECT -x AS x, x, y FROM left_bag ORDER BY x + 1, y

SELECT DISTINCT l.x, r.y FROM left_bag l, right_bag r ORDER BY x + length(y)

SELECT -v AS c FROM VALUES (ARRAY(1), 1), (ARRAY(2), 2) AS t(c, v) ORDER BY c[0]

SELECT ARRAY(-v) AS c FROM VALUES (ARRAY(1), 1), (ARRAY(2), 2) AS t(c, v) ORDER BY c[0]

SELECT NAMED_STRUCT('a', -v) AS c FROM VALUES (NAMED_STRUCT('a', 1), 1), (NAMED_STRUCT('a', 2), 2) AS t(c, v) ORDER BY c.a

SELECT -MAX(v) AS c FROM VALUES (MAP('a', 1), 1), (MAP('a', 2), 2) AS t(c, v) GROUP BY c ORDER BY c['a'] DESC

SELECT b, all FROM VALUES (1, 9), (2, 1) AS t(all, b) ORDER BY all DESC

SELECT a AS p, b AS all FROM VALUES (1, 9), (2, 1) AS t(a, b) ORDER BY ALL

SELECT b AS all FROM VALUES (1, 9), (2, 1) AS t(a, b) UNION ALL SELECT 5 ORDER BY all

SELECT ts, v FROM events ORDER BY window(ts, '1 hour').start DESC, v

SELECT e, ts FROM events ORDER BY window(ts, '1 hour', '30 minutes'), e LIMIT 3

SELECT ts, e FROM events ORDER BY window(ts, '1 hour'), v

SELECT * FROM (SELECT ts AS t, e FROM events ORDER BY session_window(t, '10 minutes')) WHERE session_window.start IS NOT NULL

SELECT ts FROM events UNION ALL SELECT ts FROM events ORDER BY window(ts, '1 hour')

FROM events |> SELECT e, ts |> SORT BY window(ts, '1 hour') |> WHERE window.end > TIMESTAMP_NTZ '2000-01-01'

SELECT DISTINCT ts FROM events WHERE e > 0 DISTRIBUTE BY window(ts, '1 hour') SORT BY ts

(SELECT ts, e FROM events) DISTRIBUTE BY window(ts, '1 hour') SORT BY e LIMIT 100

SELECT /*+ REPARTITION(3) */ x FROM left_bag ORDER BY y NULLS LAST, x LIMIT 2

SELECT /*+ REPARTITION(3, x) */ y FROM left_bag ORDER BY x DESC NULLS LAST, y LIMIT 2

SELECT /*+ REPARTITION_BY_RANGE(x) */ y AS z FROM left_bag

SELECT /*+ REPARTITION(l.y), COALESCE(1) */ l.x FROM left_bag l JOIN right_bag r ON l.x = r.x WHERE r.x > 1

FROM left_bag |> SELECT /*+ REPARTITION(2, y) */ x |> ORDER BY x NULLS LAST |> LIMIT 1

SELECT /*+ REPARTITION(2, y) */ x, row_number() OVER (ORDER BY x, y) AS r FROM left_bag QUALIFY r < 3

SELECT /*+ REBALANCE(y) */ DISTINCT y FROM left_bag ORDER BY y

SELECT y, sum(x) AS s FROM left_bag GROUP BY y ORDER BY s + 1 DESC, y

SELECT y, sum(x) AS s FROM left_bag GROUP BY y HAVING max(x) > 0 ORDER BY s * 2, y

SELECT y, sum(x) + 1 AS s FROM left_bag GROUP BY y ORDER BY s / count(*), y

SELECT sum(x) AS s, upper(y) AS u FROM left_bag GROUP BY y HAVING count(*) > 0 ORDER BY concat(y, s), u

SELECT y, sum(x) AS s FROM left_bag GROUP BY y ORDER BY sum(x) + length(y), y

SELECT x, y, sum(x) AS s, grouping(x) + grouping(y) AS level, rank() OVER (PARTITION BY grouping(x) + grouping(y) ORDER BY sum(x)) AS r FROM left_bag GROUP BY ROLLUP (x, y) ORDER BY level DESC, CASE WHEN level = 0 THEN y END, x, y

SELECT y, rank() OVER (ORDER BY x) AS r FROM left_bag ORDER BY r + length(y), y

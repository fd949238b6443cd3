WITH a AS (SELECT 1 AS x) SELECT * FROM a

WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b

WITH a(p, q) AS (SELECT x, y FROM left_bag) SELECT q, p FROM a

WITH a (SELECT 1 AS x) SELECT * FROM a

WITH left_bag AS (SELECT 1 AS x) SELECT * FROM left_bag

WITH left_bag AS (SELECT * FROM left_bag WHERE x = 1) SELECT * FROM left_bag

WITH a AS (SELECT x FROM left_bag) SELECT l.x, r.x FROM a l JOIN a r ON l.x = r.x

WITH a AS (WITH b AS (SELECT 1 AS x) SELECT x + 1 AS y FROM b) SELECT * FROM a

WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH a AS (SELECT 2 AS x) SELECT * FROM a)

WITH a AS (SELECT 1 AS x), b AS (WITH a AS (SELECT 2 AS x) SELECT * FROM a) SELECT a.x, b.x FROM a, b

WITH a AS (SELECT x FROM left_bag) SELECT x FROM a WHERE x IN (SELECT x FROM a WHERE x > 1)

WITH a AS (SELECT 1 AS x) SELECT * FROM a UNION ALL SELECT x + 1 FROM a ORDER BY x

WITH a AS (SELECT x FROM left_bag) (SELECT x FROM a WHERE x = 1) UNION (SELECT x FROM a WHERE x = 2)

WITH a AS (SELECT 1 AS one), unused AS (SELECT 2 AS two) SELECT one FROM a

WITH t AS (SELECT x, count(*) AS n FROM left_bag GROUP BY x) SELECT max(n) FROM t

WITH t AS (VALUES (1, 'a'), (2, 'b')) SELECT col2 FROM t WHERE col1 = 2

WITH `a b` AS (SELECT 1 AS `c d`) SELECT `a b`.`c d` FROM `a b`

WITH a AS (SELECT 1 AS x) SELECT A.X FROM a

WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a UNION ALL SELECT * FROM a) SELECT count(*) FROM b

WITH a AS (SELECT 1 AS x) TABLE a

WITH a AS (SELECT 1 AS x) FROM a SELECT x

WITH a AS (SELECT 1 AS x) VALUES (1)

(WITH a AS (SELECT 1 AS x) SELECT * FROM a) UNION ALL SELECT 3

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r WHERE n > 1 LIMIT ALL

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT a.n FROM (SELECT n FROM r LIMIT ALL) a JOIN r b ON a.n = b.n

WITH RECURSIVE r AS (SELECT 1 AS n, 'a' AS s UNION ALL SELECT n + 1, concat(s, 'b') FROM r WHERE n < 3) SELECT s, n FROM r

WITH RECURSIVE r(n) AS (VALUES (0) UNION ALL SELECT n + 2 FROM r WHERE n < 6) SELECT sum(n), count(*) FROM r

WITH RECURSIVE r(n, f) MAX RECURSION LEVEL 20 AS (SELECT 0, CAST(1 AS BIGINT) UNION ALL SELECT n + 1, f * (n + 1) FROM r WHERE n < 10) SELECT * FROM r WHERE n > 7

WITH RECURSIVE r(n) AS (SELECT x FROM left_bag WHERE x = 1 UNION ALL SELECT r.n + 1 FROM r JOIN right_bag b ON b.x = r.n WHERE r.n < 3) SELECT n, count(*) FROM r GROUP BY n

WITH RECURSIVE a AS (SELECT 1 AS x) SELECT * FROM a

WITH RECURSIVE base AS (SELECT 10 AS top), r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r, base WHERE n < top) SELECT max(n) FROM r

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT a.n, b.n FROM r a JOIN r b ON a.n = b.n + 1

WITH RECURSIVE r(a, b) AS (SELECT 1, 1 UNION ALL (SELECT b, a + b FROM r WHERE b < 50)) SELECT a FROM r

SELECT * FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r) AS q WHERE n IN (WITH RECURSIVE r(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT n FROM r)

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 4

WITH RECURSIVE tree(id, parent) AS (SELECT * FROM VALUES (1, NULL), (2, 1) AS v(id, parent) WHERE parent IS NULL UNION ALL SELECT v.id, v.parent FROM VALUES (2, 1), (3, 2) AS v(id, parent) JOIN tree t ON v.parent = t.id) SELECT * FROM tree

WITH t AS (SELECT 1 AS a) SELECT (SELECT a FROM t), (WITH t AS (SELECT 5 AS a) SELECT a FROM t)

WITH RECURSIVE r AS (SELECT e, v FROM events WHERE e = 1 UNION ALL SELECT x.e, x.v FROM events x JOIN r ON x.e = r.e + 1) SELECT * FROM r

WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL (SELECT n + 1 FROM r WHERE n < 4 LIMIT 1)) SELECT n FROM r

WITH RECURSIVE r(n) AS ((WITH RECURSIVE r(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM r WHERE m < 2) SELECT m FROM r) UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r

WITH a(p, q) AS (SELECT x, y FROM left_bag) TABLE a

WITH a(p, q) AS (SELECT x, y FROM left_bag) TABLE a UNION ALL TABLE a

WITH a(p, q) AS (SELECT x, y FROM left_bag) FROM a |> WHERE p = 1

WITH a(p, q) AS (SELECT x, y FROM left_bag) (TABLE a) ORDER BY p LIMIT 1

SELECT x, (WITH c AS (SELECT l.x AS z) SELECT d.z + e.z FROM c AS d JOIN (SELECT z FROM c) AS e ON d.z = e.z) AS s FROM left_bag AS l

SELECT x, (WITH c AS (SELECT l.x AS z), d AS (SELECT z + 1 AS z FROM c) SELECT z FROM d WHERE z > 1) AS s FROM left_bag AS l

WITH c AS (SELECT x, (SELECT count(*) FROM right_bag AS r WHERE r.x = l.x) AS n FROM left_bag AS l) SELECT x, (SELECT max(n) FROM c WHERE c.x = b.x) AS m FROM right_bag AS b

WITH f AS (SELECT x, named_struct('x', 7) AS left_bag_computed FROM left_bag) SELECT left_bag_computed.x FROM f UNION ALL SELECT x FROM f

WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT * FROM f PIVOT (max(y) FOR x IN (1 AS a, 2 AS b)) UNION ALL SELECT y, y FROM f

WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT f.x, l.e FROM f LATERAL VIEW explode(array(x, 1)) l AS e UNION ALL SELECT x, x FROM f

WITH RECURSIVE f AS (SELECT x FROM left_bag WHERE x > 1), r(n) AS (SELECT x FROM f UNION ALL SELECT r.n + 1 FROM r JOIN f ON f.x = r.n WHERE r.n < 3) SELECT * FROM r

WITH f AS (SELECT x, y FROM left_bag WHERE x > 1) SELECT o.x, (SELECT max(i.y) FROM f i WHERE i.x = o.x) || (SELECT max(i.y) FROM f i WHERE i.x = o.x) AS s FROM f o

SELECT CASE WHEN (SELECT max(x) FROM left_bag) > 1 THEN (SELECT max(x) FROM left_bag) END AS s

WITH w AS (SELECT y, sum(x) AS n, count(*) AS m FROM left_bag GROUP BY y) SELECT l.y, r.n, r.m FROM w AS l LEFT JOIN w AS r ON l.n = r.m ORDER BY ALL

WITH w AS (SELECT x, y, grouping_id() AS n FROM left_bag GROUP BY CUBE (x, y)) SELECT l.*, r.* FROM w AS l JOIN w AS r ON l.x <=> r.n JOIN w AS s USING (x) ORDER BY ALL

WITH w AS (SELECT y, max(x) AS n FROM left_bag GROUP BY y HAVING max(x) > 0) SELECT l.y, (SELECT max(r.n) FROM w AS r WHERE r.y >= l.y) AS n FROM w AS l JOIN w AS m ON l.y = m.y ORDER BY ALL

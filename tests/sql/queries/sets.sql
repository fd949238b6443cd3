SELECT x FROM left_bag UNION SELECT x FROM right_bag

SELECT x FROM left_bag UNION DISTINCT SELECT x FROM right_bag

SELECT x FROM left_bag UNION ALL SELECT x FROM right_bag

SELECT x FROM left_bag INTERSECT SELECT x FROM right_bag

SELECT x, y FROM left_bag INTERSECT ALL SELECT x, y FROM right_bag

SELECT x FROM left_bag EXCEPT SELECT x FROM right_bag

SELECT x FROM left_bag EXCEPT ALL SELECT x FROM right_bag

SELECT x FROM left_bag MINUS SELECT x FROM right_bag

SELECT 1 UNION SELECT 2 INTERSECT SELECT 3

(SELECT 1 UNION SELECT 2) INTERSECT SELECT 2

SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 2

SELECT 1 UNION ALL (SELECT 2 EXCEPT SELECT 2)

SELECT 1 AS a UNION ALL SELECT 2.5 ORDER BY a DESC

SELECT 1 AS a, 'x' AS b UNION ALL SELECT NULL, NULL ORDER BY 1 NULLS LAST LIMIT 1

(SELECT x FROM left_bag ORDER BY x DESC NULLS LAST LIMIT 1) UNION ALL (SELECT x FROM right_bag ORDER BY x NULLS LAST LIMIT 1)

SELECT * FROM (SELECT 1 AS a UNION SELECT 2) WHERE a > 1

SELECT x AS p FROM left_bag UNION SELECT x FROM right_bag ORDER BY p NULLS FIRST

TABLE left_bag UNION ALL TABLE right_bag

VALUES (1), (2) UNION ALL VALUES (3)

VALUES (1, 'a'), (2, 'b')

VALUES 1, 2, 3

VALUES (1) LIMIT 1

SELECT * FROM VALUES (1, 'a'), (2, NULL) AS t(n, s)

SELECT * FROM VALUES (1, 2.5), (2, 3)

SELECT t.n FROM VALUES 1, 2 AS t(n)

SELECT * FROM (VALUES (1, 2), (3, 4)) AS t(a, b)

SELECT * FROM (VALUES (1, 2), (3, 4)) t

SELECT * FROM VALUES (array(1, 2), map('k', 1), struct(1 AS a, 'z' AS b)) AS t(l, m, s)

SELECT * FROM VALUES (1 + 1, upper('a')) t(a, b)

SELECT * FROM VALUES (DATE '2024-01-01', NULL), (NULL, TIMESTAMP '2024-01-01 10:00:00') AS t

SELECT NULL UNION ALL SELECT 1

SELECT DATE '2024-01-01' AS d UNION ALL SELECT TIMESTAMP '2024-01-01 00:00:00'

SELECT CAST(1 AS TINYINT) AS c UNION SELECT CAST(2 AS BIGINT)

SELECT CAST(1.5 AS DECIMAL(5, 2)) AS c UNION ALL SELECT CAST(2 AS INT)

SELECT 1 a UNION SELECT 2 UNION ALL SELECT 2 UNION SELECT 3

SELECT DISTINCT x FROM left_bag

SELECT ALL x FROM left_bag

SELECT DISTINCT x, y FROM left_bag ORDER BY y, x

SELECT DISTINCT x + 1 AS z FROM left_bag ORDER BY z LIMIT 2

SELECT count(*) FROM (SELECT x FROM left_bag UNION ALL SELECT x FROM right_bag)

VALUES (1, 'a'), (2, 'b') v(p, q) UNION ALL SELECT * FROM left_bag

WITH c AS (VALUES (1, 2) AS v(p, q)) SELECT p + q FROM c

SELECT named_struct('a', x, 'b', y) AS r FROM left_bag UNION ALL SELECT named_struct('c', x, 'd', y) FROM left_bag

SELECT named_struct('a', x) AS r FROM left_bag UNION SELECT named_struct('c', e) FROM events

SELECT named_struct('a', x) AS r FROM left_bag INTERSECT SELECT named_struct('A', v) FROM events

SELECT array(named_struct('a', x)) AS r FROM left_bag UNION ALL SELECT array(named_struct('c', v)) FROM events

SELECT l.x FROM left_bag l UNION ALL SELECT x FROM right_bag ORDER BY l.x

SELECT * FROM left_bag l UNION SELECT * FROM right_bag r ORDER BY l.x, l.y || 'a'

SELECT sum(x) AS s, l.y FROM left_bag l GROUP BY l.y UNION ALL SELECT 1L, 'a' ORDER BY l.y, s

(SELECT l.x FROM left_bag l) EXCEPT SELECT x FROM right_bag UNION ALL SELECT 1 ORDER BY l.x LIMIT 3

SELECT '7' || '' AS k, y FROM left_bag EXCEPT SELECT x, y FROM right_bag

SELECT x, y FROM left_bag INTERSECT SELECT '1' || '', y FROM right_bag

SELECT x, y FROM left_bag EXCEPT ALL SELECT '1' || '', y FROM right_bag

-- Spark replaces EXCEPT by a filter over the columns of these names in the result.
SELECT * FROM (SELECT y AS x, x AS y FROM left_bag) AS l EXCEPT SELECT * FROM (SELECT y AS x, x AS y FROM left_bag) AS r WHERE r.y > 1

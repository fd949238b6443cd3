SELECT 1 AS Id, 2 AS id

SELECT 1 AS a, 2 AS a, 3 AS a0, 4 AS A0, 5 AS a1

SELECT * FROM left_bag l JOIN right_bag r ON l.x = r.x

SELECT l.*, l.* FROM left_bag l WHERE l.x = 1

SELECT l.x, r.x FROM left_bag l JOIN right_bag r ON l.y = r.y ORDER BY l.y DESC, r.x DESC LIMIT 3

SELECT x, y AS x FROM left_bag ORDER BY y, 1

SELECT x AS z, y AS z FROM left_bag ORDER BY x DESC, y LIMIT 2

SELECT x AS z, y AS z FROM left_bag ORDER BY 2, 1 LIMIT 2 OFFSET 1

SELECT x AS z, y AS z FROM left_bag ORDER BY x + 1, y LIMIT 2

SELECT x AS y, y FROM left_bag UNION ALL SELECT x + 1, y FROM left_bag

SELECT x AS z, y AS z FROM left_bag EXCEPT SELECT 1, 'a'

SELECT DISTINCT x, x FROM left_bag

SELECT DISTINCT x AS z, y AS z FROM left_bag ORDER BY 2 DESC, 1 LIMIT 2

SELECT x, count(*) AS x FROM left_bag GROUP BY x

SELECT x, x, sum(length(y)) AS X FROM left_bag GROUP BY x HAVING sum(length(y)) > 1 ORDER BY sum(length(y)) DESC, left_bag.x

SELECT sum(length(y)), sum(length(y)), count(*), count(1) FROM left_bag

SELECT x, y AS x, sum(length(y)) FROM left_bag GROUP BY ROLLUP (x, y)

SELECT x, row_number() OVER (ORDER BY x, y) AS x FROM left_bag QUALIFY row_number() OVER (ORDER BY left_bag.x, y) < 3

SELECT x, explode(array(y, 'z')) AS x FROM left_bag

SELECT t.* FROM (SELECT x, y AS x FROM left_bag) AS t

SELECT * FROM (SELECT x AS a, y AS a, x AS b FROM left_bag) WHERE b = 1

WITH t AS (SELECT x, y AS x FROM left_bag) SELECT * FROM t, t AS u LIMIT 3

WITH t AS (SELECT x, y AS x FROM left_bag) SELECT count(*) FROM t

SELECT * FROM (SELECT x, y AS x FROM left_bag) ORDER BY 1, 2 LIMIT 2

SELECT (SELECT max(x) FROM right_bag) AS m, y AS m FROM left_bag WHERE EXISTS (SELECT 1 AS a, 2 AS a FROM right_bag)

SELECT * FROM VALUES (1, 2) AS t(a, a)

SELECT /*+ REPARTITION(2) */ x, y AS x FROM left_bag ORDER BY 1, 2 LIMIT 3

FROM left_bag |> SELECT x, y AS x |> LIMIT 2

FROM left_bag |> EXTEND y AS x |> ORDER BY y |> LIMIT 3

SELECT x, y AS x FROM left_bag WHERE rand() >= 0 ORDER BY y, left_bag.x LIMIT 2

SELECT x, x FROM left_bag UNION ALL SELECT x, x FROM right_bag ORDER BY x

SELECT x FROM (SELECT * FROM (SELECT x, x, y FROM left_bag) AS t) AS u WHERE x > 1 ORDER BY u.x

SELECT x FROM (SELECT t.*, 1 AS n FROM (SELECT DISTINCT x, x FROM left_bag) AS t LIMIT 3) AS u ORDER BY x

SELECT *, count(*) AS n FROM (SELECT x, x FROM left_bag) AS t GROUP BY x HAVING x > 1 ORDER BY x

SELECT * FROM (SELECT x, x FROM left_bag) AS t DISTRIBUTE BY x

WITH t AS (SELECT x, x FROM left_bag) SELECT l.x, r.x FROM (SELECT * FROM t) AS l JOIN (SELECT * FROM t) AS r ON l.x < r.x

SELECT x FROM (SELECT * FROM (SELECT x, x FROM left_bag) AS t UNION ALL SELECT x, x FROM right_bag) AS u WHERE x > 1

FROM (SELECT x, x, y FROM left_bag) AS t |> SET y = 'c' |> EXTEND t.x + 1 AS z |> DROP y |> WHERE x > 1 |> SELECT t.x, z

FROM (SELECT x, x, y FROM left_bag) AS t |> SET y = x |> SET y = y + 1 |> AS u |> SELECT u.x, y |> ORDER BY x, y |> LIMIT 3

SELECT l.x, r.x, l.y AS m FROM left_bag l JOIN right_bag r ON l.y IS NOT DISTINCT FROM r.y ORDER BY r.x DESC, m, l.x

SELECT l.x, r.x FROM left_bag l FULL JOIN right_bag r USING (y) ORDER BY r.x NULLS LAST, l.x DESC LIMIT 4

SELECT l.x + 1 AS x, r.x FROM left_bag l JOIN right_bag r ON l.y = r.y ORDER BY r.x, l.x

SELECT l.x, l.x, r.x FROM left_bag l JOIN right_bag r ON l.y = r.y ORDER BY 1, 2, 3

SELECT *, l.x AS n FROM left_bag l JOIN right_bag r ON l.x = r.x ORDER BY l.x, 1, 2, 3, 4, 5

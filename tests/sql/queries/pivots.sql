SELECT * FROM (SELECT k, v, day FROM events) PIVOT (sum(v) FOR k IN ('a', 'b'))

SELECT * FROM (SELECT k, v, day FROM events) PIVOT (sum(v) FOR k IN ('a' AS alpha, 'b' beta))

SELECT * FROM (SELECT k, v, day FROM events) PIVOT (sum(v) AS s, count(*) AS n FOR k IN ('a', 'b'))

SELECT * FROM (SELECT k, v, day FROM events) PIVOT (sum(v), max(v) FOR k IN ('a' AS alpha))

SELECT * FROM (SELECT k, v FROM events) PIVOT (sum(v) FOR k IN ('a', 'b')) AS p

SELECT p.a FROM (SELECT k, v FROM events) PIVOT (sum(v) FOR k IN ('a', 'b')) AS p

SELECT * FROM (SELECT e, k, day, v FROM events) PIVOT (sum(v) AS s FOR (k, day) IN (('a', DATE '2024-01-01') AS first, ('b', DATE '2024-01-02') AS second))

SELECT * FROM (SELECT e, k, v FROM events) PIVOT (max(v) FOR e IN (1, 2, 3))

SELECT * FROM (SELECT k, v FROM events) PIVOT (sum(v + 1) * 2 AS s FOR k IN ('a', 'b'))

SELECT * FROM (SELECT k, v, day FROM events) PIVOT (avg(v) FOR k IN ('a', 'b')) ORDER BY day

SELECT * FROM (SELECT e, v, v + 1 AS w FROM events) UNPIVOT (amount FOR kind IN (v, w))

SELECT * FROM (SELECT e, v, v + 1 AS w FROM events) UNPIVOT INCLUDE NULLS (amount FOR kind IN (v AS first, w AS second))

SELECT * FROM (SELECT e, v, v + 1 AS w FROM events) UNPIVOT EXCLUDE NULLS (amount FOR kind IN (v, w)) AS u WHERE u.amount > 3

SELECT * FROM (SELECT e, v AS a, v AS b, v AS c, v AS d FROM events) UNPIVOT ((l, r) FOR pair IN ((a, b) AS one, (c, d) AS two))

SELECT * FROM (SELECT e, v AS a, v AS b, v AS c, v AS d FROM events) UNPIVOT ((l, r) FOR pair IN ((a, b), (c, d)))

SELECT kind, sum(amount) FROM (SELECT v, CAST(v AS BIGINT) AS w FROM events) UNPIVOT (amount FOR kind IN (v, w)) GROUP BY kind

SELECT * FROM (SELECT e, v, e + v AS w FROM events WHERE e < 3) UNPIVOT ((a, b) FOR n IN ((v, w) AS one, (w, v), (v, v)))

SELECT * FROM (SELECT struct(k, e) AS s, v FROM events) PIVOT (sum(v) FOR s IN (struct('a', 1), struct('b', 3)))

SELECT * FROM (SELECT array(e, v) AS s, v FROM events) PIVOT (sum(v) FOR s IN (array(1, 1), array(2, 2) AS two))

SELECT * FROM (SELECT e, array(k) AS s, v FROM events) PIVOT (sum(v) FOR (s, e) IN ((array('a'), 1), (array('b'), 2)))

SELECT * FROM (SELECT e, v FROM events) PIVOT (sum(v) FOR e IN (1 + 1, 3))

SELECT * FROM (SELECT day, v FROM events) PIVOT (sum(v) FOR day IN (DATE '2024-01-01', date'2024-01-02' AS two))

SELECT * FROM (SELECT k, v FROM events) PIVOT (sum(v) FOR k IN ('a', 1, TRUE AS other))

SELECT * FROM (SELECT x, y FROM left_bag) PIVOT (count(y) FOR x IN ('1', 2L, 3.0, CAST(4 AS DECIMAL(5, 2)) AS four))

SELECT * FROM (SELECT k, v FROM events) PIVOT (sum(v) FOR k IN ('a' AS x, 'b' AS X))

SELECT * FROM (SELECT k, v, day FROM events) PIVOT (sum(v) AS s, count(*) AS n FOR k IN ('a', 'a'))

SELECT * FROM left_bag AS l JOIN right_bag AS r USING (y) UNPIVOT (value FOR name IN (l.x, r.x))

SELECT * FROM (SELECT x, length(y) AS n, y FROM left_bag) UNPIVOT INCLUDE NULLS ((a, b) FOR name IN ((x, n) AS z, (n, x) AS z))

SELECT * FROM left_bag UNPIVOT (value FOR name IN (x, x))

SELECT * FROM (SELECT x, y, x AS n FROM left_bag) PIVOT (max(n) AS m, count(*) AS M FOR x IN (1, 2 AS two))

SELECT * FROM (SELECT x, y, x AS n FROM left_bag) PIVOT (max(n), max(n), min(n) FOR y IN ('a' AS c, 'b' AS C))

SELECT * FROM left_bag l ASOF JOIN right_bag r MATCH_CONDITION (l.x >= r.x)

SELECT l.x, r.x AS other FROM left_bag AS l LEFT ASOF JOIN right_bag AS r MATCH_CONDITION (r.x < l.x) ON l.y = r.y

SELECT * FROM left_bag l INNER ASOF JOIN right_bag r MATCH_CONDITION (l.x <= r.x) USING (y)

SELECT y, r.y AS other FROM left_bag l LEFT OUTER ASOF JOIN right_bag r MATCH_CONDITION (l.x > r.x - 1) USING (y) WHERE r.y IS NULL

SELECT r.x, count(*) AS n FROM left_bag l ASOF JOIN right_bag r MATCH_CONDITION (l.x + 1 >= r.x) WHERE l.x > 1 GROUP BY r.x HAVING count(*) > 0

SELECT l.x, r.x AS other, s.x AS third FROM left_bag l JOIN right_bag r ON l.x = r.x LEFT ASOF JOIN right_bag s MATCH_CONDITION (r.x > s.x) ON s.x + l.x > 1 AND l.y IS NOT NULL JOIN left_bag m ON m.x = s.x

SELECT l.x, r.x AS other FROM (SELECT x FROM left_bag WHERE x > 1) l ASOF JOIN (SELECT x FROM right_bag WHERE x < 3) r MATCH_CONDITION (l.x >= r.x) ON TRUE

SELECT q.x, p.x AS other FROM (SELECT DISTINCT x FROM left_bag) q ASOF JOIN (SELECT x, count(*) AS n FROM right_bag GROUP BY x) p MATCH_CONDITION (q.x >= p.n)  ON p.x = 2

WITH b AS (SELECT x FROM left_bag WHERE x IS NOT NULL) SELECT a.x, b.x AS other FROM b AS a ASOF JOIN b MATCH_CONDITION (a.x > b.x) ORDER BY a.x, b.x LIMIT 3

FROM left_bag |> LEFT ASOF JOIN right_bag AS r MATCH_CONDITION (left_bag.x > r.x) |> SELECT left_bag.x, r.y

SELECT x FROM left_bag WHERE x IN (SELECT r.x FROM left_bag l ASOF JOIN right_bag r MATCH_CONDITION (l.x < r.x))

SELECT asof, match_condition.x AS match_condition FROM (SELECT x AS asof FROM left_bag) AS asof JOIN right_bag match_condition ON asof.asof = match_condition.x

SELECT * FROM left_bag asof JOIN (SELECT x AS z FROM right_bag) ON asof.x = z

SELECT * FROM left_bag asof

SELECT o.x, q.y FROM left_bag o, LATERAL (SELECT r.y, r.x FROM right_bag s ASOF JOIN right_bag r MATCH_CONDITION (s.x > r.x) WHERE r.x = o.x) q

WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT g.n + 1 FROM g LEFT ASOF JOIN right_bag r MATCH_CONDITION (g.n > r.x) WHERE g.n < 3) SELECT n FROM g

SELECT a.e, b.e AS other FROM events a ASOF JOIN events b MATCH_CONDITION (a.day > b.ts) ON a.k <=> b.k

SELECT l.x FROM left_bag l ASOF JOIN right_bag r MATCH_CONDITION ((l.x, l.y) >= (r.x, r.y))

SELECT l.x, r.x AS other FROM left_bag l ASOF JOIN right_bag r MATCH_CONDITION (l.y >= r.y) UNION ALL SELECT x, x FROM left_bag

SELECT l.x FROM left_bag l ASOF JOIN right_bag r MATCH_CONDITION (l.x >= 1) WHERE l.x = 3

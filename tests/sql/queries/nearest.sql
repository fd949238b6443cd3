SELECT * FROM left_bag l JOIN right_bag r EXACT NEAREST 2 BY DISTANCE abs(l.x - r.x)

SELECT l.x, r.x AS other FROM left_bag AS l INNER JOIN right_bag AS r APPROX NEAREST BY SIMILARITY -abs(l.x - r.x)

SELECT l.x, r.y FROM left_bag l LEFT JOIN right_bag r EXACT NEAREST 1 BY DISTANCE if(l.x > 1, NULL, r.x)

SELECT l.x, r.y FROM left_bag l LEFT OUTER JOIN right_bag r EXACT NEAREST 3 BY SIMILARITY struct(r.x, l.y)

SELECT l.x FROM left_bag l JOIN right_bag r EXACT NEAREST 1 BY DISTANCE NULL

SELECT r.x, count(*) AS n FROM left_bag l JOIN right_bag r EXACT NEAREST 1 BY DISTANCE abs(l.x - r.x) WHERE l.x > 1 GROUP BY r.x HAVING count(*) > 0

SELECT l.x, r.x AS other, s.x AS third FROM left_bag l JOIN right_bag r ON l.x = r.x LEFT JOIN right_bag s EXACT NEAREST 1 BY DISTANCE s.x + l.x JOIN left_bag m ON m.x = s.x

SELECT l.x, r.x AS other FROM (SELECT x FROM left_bag WHERE x > 1) l JOIN (SELECT x FROM right_bag WHERE x < 3) r EXACT NEAREST 1 BY DISTANCE l.x - r.x

SELECT q.x, p.x AS other FROM (SELECT DISTINCT x FROM left_bag) q JOIN (SELECT x, count(*) AS n FROM right_bag GROUP BY x) p EXACT NEAREST 1 BY DISTANCE p.n + abs(q.x - p.x)

WITH b AS (SELECT x FROM left_bag WHERE x IS NOT NULL) SELECT a.x, b.x AS other FROM b AS a JOIN b EXACT NEAREST 2 BY DISTANCE abs(a.x - b.x) ORDER BY a.x, b.x LIMIT 3

FROM left_bag |> JOIN right_bag AS r EXACT NEAREST 1 BY DISTANCE r.x |> SELECT left_bag.x, r.y

SELECT x FROM left_bag WHERE x IN (SELECT r.x FROM left_bag l JOIN right_bag r EXACT NEAREST 1 BY DISTANCE r.x)

SELECT exact, nearest.approx, distance AS similarity FROM (SELECT x AS exact, x AS approx, x AS distance FROM left_bag) nearest

SELECT exact.x FROM left_bag exact JOIN right_bag approx ON exact.x = approx.x

SELECT x, (SELECT sum(r.x) FROM right_bag s JOIN right_bag r EXACT NEAREST 1 BY DISTANCE abs(r.x - o.x)) AS n FROM left_bag o

SELECT x FROM left_bag o WHERE EXISTS (SELECT 1 FROM right_bag s JOIN right_bag r EXACT NEAREST 1 BY DISTANCE nullif(o.x, 2))

SELECT o.x, q.y FROM left_bag o, LATERAL (SELECT r.y FROM right_bag s JOIN right_bag r EXACT NEAREST 1 BY DISTANCE r.x + s.x + o.x) q

WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT g.n + 1 FROM g LEFT JOIN right_bag r EXACT NEAREST 1 BY DISTANCE r.x - g.n WHERE g.n < 3) SELECT n FROM g

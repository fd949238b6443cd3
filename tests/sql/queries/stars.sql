SELECT l.* FROM left_bag l JOIN right_bag r USING (y)

SELECT r.* FROM left_bag l JOIN right_bag r USING (y)

SELECT r.*, l.* FROM left_bag l LEFT JOIN right_bag r USING (y)

SELECT r.*, l.* FROM left_bag l RIGHT JOIN right_bag r USING (y)

SELECT r.*, l.* FROM left_bag l FULL JOIN right_bag r USING (y)

SELECT * FROM left_bag l LEFT SEMI JOIN right_bag r USING (y)

SELECT l.* FROM left_bag l LEFT ANTI JOIN right_bag r USING (y, x)

SELECT l.*, r.* FROM left_bag l JOIN right_bag r USING (y, x)

SELECT r.* FROM left_bag l NATURAL RIGHT JOIN (SELECT y, 1 AS one FROM right_bag) r

SELECT l.*, r.*, t.* FROM left_bag l JOIN right_bag r USING (y) JOIN left_bag t USING (y)

SELECT l.*, r.*, t.* FROM left_bag l RIGHT JOIN right_bag r USING (y) FULL JOIN left_bag t USING (y)

SELECT l.* FROM right_bag t JOIN (left_bag l RIGHT JOIN right_bag r USING (y)) ON t.x = r.x

SELECT left_bag.* FROM left_bag JOIN left_bag USING (y)

SELECT r.* EXCEPT (y), l.* EXCEPT (l.x) FROM left_bag l RIGHT JOIN right_bag r USING (y)

SELECT * EXCEPT (l.y) FROM left_bag l JOIN right_bag r USING (y)

SELECT struct(r.*), hash(l.*), count(*) FROM left_bag l JOIN right_bag r USING (y) GROUP BY ALL ORDER BY ALL

SELECT l.*, count(*) FROM left_bag l FULL JOIN right_bag r USING (y) GROUP BY l.x, l.y ORDER BY 1, 2

SELECT r.y, count(*) FROM left_bag l LEFT JOIN right_bag r USING (y) GROUP BY r.y

SELECT l.x FROM left_bag l FULL JOIN right_bag r USING (y) ORDER BY r.y DESC, l.y, l.x, r.x LIMIT 3

SELECT l.* FROM left_bag l JOIN right_bag r USING (y) UNION ALL SELECT y, x FROM right_bag

SELECT t.* FROM (SELECT r.* FROM left_bag l RIGHT JOIN right_bag r USING (y)) t(p, q)

SELECT x FROM left_bag WHERE (y, x) IN (SELECT r.* FROM left_bag l JOIN right_bag r USING (y))

SELECT l.*, t.s FROM left_bag l FULL JOIN right_bag r USING (y), LATERAL (SELECT struct(r.*) AS s) t

SELECT r.*, e FROM left_bag l LEFT JOIN right_bag r USING (y) LATERAL VIEW explode(array(l.y, r.y)) AS e

SELECT s.* FROM (SELECT y, y, x FROM left_bag) s LEFT JOIN right_bag r USING (y)

SELECT s.* FROM right_bag r LEFT JOIN (SELECT y, y, x FROM left_bag) s USING (y)

SELECT l.x, r.y FROM left_bag l JOIN right_bag r USING (y) LEFT SEMI JOIN right_bag t ON t.y = r.y

FROM left_bag l |> JOIN right_bag r USING (y) |> SELECT l.*

FROM left_bag l |> RIGHT JOIN right_bag r USING (y) |> SELECT l.*, r.*

FROM left_bag |> SEMI JOIN right_bag USING (y)

FROM left_bag l |> JOIN right_bag r USING (y) |> WHERE r.y > '' |> SELECT r.y, l.*

SELECT * FROM (left_bag l JOIN (SELECT y, x AS z FROM right_bag) r USING (y)) PIVOT (max(r.y) FOR x IN (1, 2))

SELECT * FROM (SELECT x, y AS z, y FROM left_bag) PIVOT (count(*) FOR y IN ('a' AS z, 'b'))

SELECT * FROM (left_bag l JOIN (SELECT y, x AS z FROM right_bag) r USING (y)) UNPIVOT (v FOR n IN (z, x))

SELECT * FROM (left_bag l JOIN (SELECT y, x AS z FROM right_bag) r USING (y)) UNPIVOT (v FOR n IN (r.y))

SELECT l.*, v FROM left_bag l UNPIVOT (v FOR y IN (x)) ORDER BY ALL

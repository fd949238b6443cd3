SELECT count(*) FROM (SELECT * EXCEPT (x, y) FROM left_bag)

SELECT y, EXISTS (SELECT * EXCEPT (x, y) FROM right_bag WHERE right_bag.x = left_bag.x) AS a, NOT EXISTS (SELECT *) AS b FROM left_bag

SELECT * FROM (SELECT * EXCEPT (x, y) FROM left_bag) AS l CROSS JOIN (SELECT y FROM right_bag) AS r, LATERAL (SELECT *) AS n

SELECT y FROM left_bag LEFT JOIN (SELECT * WHERE false) ON true LEFT SEMI JOIN (SELECT *)

SELECT count(*) FROM (SELECT DISTINCT * EXCEPT (x, y) FROM left_bag UNION ALL SELECT * EXCEPT (x, y) FROM right_bag EXCEPT ALL SELECT *)

FROM left_bag |> DROP x, y |> LIMIT 3 |> UNION ALL SELECT * |> AGGREGATE count(*) AS n

WITH n AS (SELECT * EXCEPT (x, y) FROM left_bag ORDER BY x LIMIT 2) SELECT 1 AS one, (SELECT count(*) FROM n) AS c FROM n AS a JOIN n AS b

SELECT count(*) FROM (SELECT r.* FROM (SELECT struct() AS r FROM left_bag))

SELECT concat(* EXCEPT (x, y)), array(* EXCEPT (x, y)), struct(* EXCEPT (x, y)) FROM left_bag

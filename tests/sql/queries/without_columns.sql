SELECT count(*) FROM (SELECT * EXCEPT (x, y) FROM left_bag)

SELECT y, EXISTS (SELECT * EXCEPT (x, y) FROM right_bag WHERE right_bag.x = left_bag.x) AS a, NOT EXISTS (SELECT *) AS b FROM left_bag

SELECT * FROM (SELECT * EXCEPT (x, y) FROM left_bag) AS l CROSS JOIN (SELECT y FROM right_bag) AS r, LATERAL (SELECT *) AS n

SELECT y FROM left_bag LEFT JOIN (SELECT * WHERE false) ON true LEFT SEMI JOIN (SELECT *)

SELECT count(*) FROM (SELECT DISTINCT * EXCEPT (x, y) FROM left_bag UNION ALL SELECT * EXCEPT (x, y) FROM right_bag EXCEPT ALL SELECT *)

FROM left_bag |> DROP x, y |> LIMIT 3 |> UNION ALL SELECT * |> AGGREGATE count(*) AS n

WITH n AS (SELECT * EXCEPT (x, y) FROM left_bag ORDER BY x LIMIT 2) SELECT 1 AS one, (SELECT count(*) FROM n) AS c FROM n AS a JOIN n AS b

SELECT count(*) FROM (SELECT r.* FROM (SELECT struct() AS r FROM left_bag))

SELECT concat(* EXCEPT (x, y)), array(* EXCEPT (x, y)), struct(* EXCEPT (x, y)) FROM left_bag

SELECT * EXCEPT (x, y) FROM left_bag WHERE x > 1 ORDER BY x LIMIT 2

SELECT *

SELECT DISTINCT * EXCEPT (x, y) FROM left_bag

(SELECT *) UNION ALL (SELECT r.* FROM (SELECT struct() AS r FROM left_bag)) ORDER BY ALL LIMIT 3

SELECT * EXCEPT (n) FROM (SELECT count(*) AS n FROM left_bag GROUP BY y HAVING count(*) > 1)

WITH n AS (SELECT * EXCEPT (x, y) FROM left_bag) SELECT * FROM n UNION ALL SELECT * FROM n WHERE rand() < 2 ORDER BY ALL

SELECT * EXCEPT (x, y) FROM left_bag QUALIFY row_number() OVER (ORDER BY x, y) = 1

WITH RECURSIVE r AS (SELECT * UNION ALL SELECT * FROM r) SELECT * FROM r LIMIT 4

SELECT TRANSFORM(*) USING 'cat' AS (a) FROM (SELECT * EXCEPT (x, y) FROM left_bag)

SELECT * FROM VALUES (struct()), (struct())

SELECT /*+ COALESCE(1) */ * EXCEPT (x, y) FROM left_bag TABLESAMPLE (100 PERCENT) REPEATABLE (1)

FROM left_bag |> DROP x, y |> LIMIT 3 |> JOIN right_bag |> SELECT * EXCEPT (x, y)

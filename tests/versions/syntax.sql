-- LIMIT
SELECT * FROM VALUES (1), (2) t(a) LIMIT 1

-- LIMIT of a computed constant
SELECT * FROM VALUES (1), (2) t(a) LIMIT 1 + 1

-- OFFSET
SELECT * FROM VALUES (1), (2) t(a) ORDER BY a OFFSET 1

-- LIMIT OFFSET
SELECT * FROM VALUES (1), (2) t(a) ORDER BY a LIMIT 1 OFFSET 1

-- LIMIT ALL
SELECT * FROM VALUES (1), (2) t(a) LIMIT ALL

-- ORDER BY ALL
SELECT * FROM VALUES (1, 2) t(a, b) ORDER BY ALL DESC NULLS LAST

-- ORDER BY number
SELECT a, b FROM VALUES (1, 2) t(a, b) ORDER BY 2 DESC

-- ORDER BY column that is not selected
SELECT a FROM VALUES (1, 2) t(a, b) ORDER BY b

-- SORT BY
SELECT a FROM VALUES (1, 2) t(a, b) SORT BY a

-- DISTRIBUTE BY
SELECT a FROM VALUES (1, 2) t(a, b) DISTRIBUTE BY a SORT BY b

-- CLUSTER BY
SELECT a FROM VALUES (1, 2) t(a, b) CLUSTER BY a

-- GROUP BY ALL
SELECT a, sum(b) AS s FROM VALUES (1, 2) t(a, b) GROUP BY ALL

-- GROUP BY number
SELECT a, sum(b) AS s FROM VALUES (1, 2) t(a, b) GROUP BY 1

-- GROUP BY alias
SELECT a + 1 AS k, sum(b) AS s FROM VALUES (1, 2) t(a, b) GROUP BY k

-- GROUP BY ROLLUP
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY ROLLUP (a, b)

-- GROUP BY CUBE
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY CUBE (a, b)

-- GROUP BY WITH ROLLUP
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY a, b WITH ROLLUP

-- GROUP BY WITH CUBE
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY a, b WITH CUBE

-- GROUPING SETS
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY GROUPING SETS ((a, b), (a), ())

-- GROUPING SETS after keys
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY a, b GROUPING SETS ((a, b), (a))

-- GROUPING SETS that are nested
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY GROUPING SETS (a, GROUPING SETS (b, ()))

-- GROUPING SETS with ROLLUP
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY GROUPING SETS (ROLLUP (a, b))

-- several grouping analytics
SELECT a, b, count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY a, ROLLUP (b), CUBE (a)

-- GROUPING and GROUPING_ID
SELECT a, grouping(a) AS g, grouping_id(a, b) AS i FROM VALUES (1, 2) t(a, b) GROUP BY CUBE (a, b)

-- GROUPING SETS of the empty set alone
SELECT count(*) AS n FROM VALUES (1) t(a) WHERE a > 5 GROUP BY GROUPING SETS (())

-- HAVING
SELECT a FROM VALUES (1, 2) t(a, b) GROUP BY a HAVING sum(b) > 1

-- HAVING without GROUP BY
SELECT 1 AS a FROM VALUES (1, 2) t(a, b) HAVING count(*) > 0

-- QUALIFY
SELECT a FROM VALUES (1, 2) t(a, b) QUALIFY row_number() OVER (PARTITION BY a ORDER BY b) = 1

-- QUALIFY with an alias
SELECT a, rank() OVER (ORDER BY b) AS r FROM VALUES (1, 2) t(a, b) QUALIFY r = 1

-- WINDOW
SELECT sum(b) OVER w AS s FROM VALUES (1, 2) t(a, b) WINDOW w AS (PARTITION BY a ORDER BY b)

-- WINDOW that extends a window
SELECT sum(b) OVER v AS s FROM VALUES (1, 2) t(a, b) WINDOW w AS (PARTITION BY a), v AS (w)

-- window ROWS
SELECT sum(b) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s FROM VALUES (1, 2) t(a, b)

-- window RANGE
SELECT sum(b) OVER (ORDER BY a RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM VALUES (1, 2) t(a, b)

-- window RANGE of an interval
SELECT count(*) OVER (ORDER BY a RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW) AS s FROM VALUES (DATE '2024-01-01') t(a)

-- window with FILTER
SELECT count(a) FILTER (WHERE b > 1) OVER (PARTITION BY b) AS s FROM VALUES (1, 2) t(a, b)

-- IGNORE NULLS
SELECT lag(a) IGNORE NULLS OVER (ORDER BY b) AS s FROM VALUES (1, 2) t(a, b)

-- RESPECT NULLS
SELECT first_value(a) RESPECT NULLS OVER (ORDER BY b) AS s FROM VALUES (1, 2) t(a, b)

-- IGNORE NULLS of an aggregate
SELECT first(a) IGNORE NULLS AS f FROM VALUES (1, 2) t(a, b)

-- IGNORE NULLS of ARRAY_AGG
SELECT array_agg(a) IGNORE NULLS AS f FROM VALUES (1), (NULL) t(a)

-- RESPECT NULLS of ARRAY_AGG
SELECT array_agg(a) RESPECT NULLS AS f FROM VALUES (1), (NULL) t(a)

-- RESPECT NULLS of COLLECT_LIST
SELECT collect_list(a) RESPECT NULLS AS f FROM VALUES (1), (NULL) t(a)

-- FILTER
SELECT sum(a) FILTER (WHERE b > 1) AS s FROM VALUES (1, 2) t(a, b)

-- DISTINCT in an aggregate
SELECT count(DISTINCT a, b) AS s FROM VALUES (1, 2) t(a, b)

-- WITHIN GROUP of PERCENTILE_CONT
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC) AS s FROM VALUES (1, 2) t(a, b)

-- WITHIN GROUP of MODE
SELECT mode() WITHIN GROUP (ORDER BY a DESC) AS s FROM VALUES (1, 2) t(a, b)

-- WITHIN GROUP of LISTAGG
SELECT listagg(a, ',') WITHIN GROUP (ORDER BY b DESC NULLS LAST) AS s FROM VALUES ('a', 2) t(a, b)

-- WITHIN GROUP of LISTAGG with DISTINCT
SELECT listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a) AS s FROM VALUES ('a', 2) t(a, b)

-- WITHIN GROUP over a window
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) OVER (PARTITION BY b) AS s FROM VALUES (1, 2) t(a, b)

-- SELECT DISTINCT
SELECT DISTINCT a FROM VALUES (1), (1) t(a)

-- SELECT without FROM
SELECT 1 AS a, 'x' AS b

-- SELECT star EXCEPT
SELECT * EXCEPT (a) FROM VALUES (1, 2) t(a, b)

-- SELECT qualified star EXCEPT
SELECT t.* EXCEPT (a) FROM VALUES (1, 2) t(a, b)

-- SELECT star EXCEPT of a field
SELECT * EXCEPT (s.x) FROM VALUES (named_struct('x', 1, 'y', 2)) t(s)

-- star of a struct
SELECT s.* FROM VALUES (named_struct('x', 1, 'y', 2)) t(s)

-- star as an argument
SELECT struct(*) AS s, coalesce(*) AS c FROM VALUES (1, 2) t(a, b)

-- star with EXCEPT as an argument
SELECT struct(* EXCEPT (a)) AS s FROM VALUES (1, 2) t(a, b)

-- star in WHERE
SELECT a FROM VALUES (1, 2) t(a, b) WHERE coalesce(*) = 1

-- COUNT of all columns
SELECT count(t.a, t.b) AS n FROM VALUES (1, 2) t(a, b)

-- lateral column alias
SELECT a + 1 AS x, x + 1 AS y FROM VALUES (1, 2) t(a, b)

-- lateral column alias of an aggregate
SELECT sum(a) AS x, x + 1 AS y FROM VALUES (1, 2) t(a, b)

-- lateral column alias of a window
SELECT rank() OVER (ORDER BY a) AS x, x + 1 AS y FROM VALUES (1, 2) t(a, b)

-- multiple aliases of a generator
SELECT inline(array(struct(1, 2))) AS (x, y)

-- generator in SELECT
SELECT a, explode(array(1, 2)) AS x FROM VALUES (1, 2) t(a, b)

-- generator of aggregates
SELECT explode(collect_list(a)) AS x FROM VALUES (1, 2) t(a, b)

-- hint of a join
SELECT /*+ BROADCAST(u) */ t.a FROM VALUES (1) t(a) JOIN VALUES (1) u(a) ON t.a = u.a

-- hint of a strategy
SELECT /*+ SHUFFLE_HASH(u), MERGE(t) */ t.a FROM VALUES (1) t(a) JOIN VALUES (1) u(a) ON t.a = u.a

-- hint of partitions
SELECT /*+ REPARTITION(3, a) */ a FROM VALUES (1) t(a)

-- hint REBALANCE
SELECT /*+ REBALANCE(3, a) */ a FROM VALUES (1) t(a)

-- hint COALESCE
SELECT /*+ COALESCE(1) */ a FROM VALUES (1) t(a)

-- hint REPARTITION_BY_RANGE
SELECT /*+ REPARTITION_BY_RANGE(2, a) */ a FROM VALUES (1) t(a)

-- FROM first
FROM VALUES (1, 2) t(a, b) SELECT a

-- FROM alone
FROM VALUES (1, 2) t(a, b)

-- TABLE statement
TABLE programs.left_bag

-- VALUES statement
VALUES (1, 'a'), (2, 'b')

-- VALUES with an alias
VALUES (1, 'a'), (2, 'b') AS t(x, y)

-- VALUES of single values
SELECT * FROM VALUES 1, 2 AS t(x)

-- VALUES with mixed types
SELECT * FROM VALUES (1, NULL), (2.5, 'b') AS t(x, y)

-- VALUES in parentheses
SELECT * FROM (VALUES (1), (2)) AS t(x)

-- VALUES with a computed value
SELECT * FROM VALUES (1 + 1, array(1), map('a', 1), named_struct('x', 1)) AS t(a, b, c, d)

-- inline data by STACK
SELECT stack(2, 1, 'a', 2, 'b') AS (x, y)

-- column names of a subquery
SELECT x FROM (SELECT 1, 2) AS t(x, y)

-- parenthesised relation
SELECT x FROM (VALUES (1) t(x) JOIN VALUES (1) u(y) ON x = y)

-- WITH
WITH q AS (SELECT 1 AS a) SELECT a FROM q

-- WITH column names
WITH q(x) AS (SELECT 1 AS a) SELECT x FROM q

-- WITH without AS
WITH q (SELECT 1 AS a) SELECT a FROM q

-- WITH in a subquery
SELECT * FROM (WITH q AS (SELECT 1 AS a) SELECT a FROM q)

-- WITH that hides a step
WITH q AS (SELECT 1 AS a), r AS (WITH q AS (SELECT 2 AS a) SELECT a FROM q) SELECT * FROM r, q

-- WITH in a subquery expression
SELECT (WITH q AS (SELECT 1 AS a) SELECT max(a) FROM q) AS a

-- WITH RECURSIVE
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r

-- WITH RECURSIVE and LIMIT ALL
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r LIMIT ALL

-- WITH RECURSIVE MAX RECURSION LEVEL
WITH RECURSIVE r(n) MAX RECURSION LEVEL 10 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r

-- WITH RECURSIVE over VALUES
WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r

-- WITH RECURSIVE in a subquery
SELECT * FROM (WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r)

-- WITH RECURSIVE with a join
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r JOIN VALUES (1), (2) t(a) ON a = n) SELECT * FROM r

-- WITH RECURSIVE read twice
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT * FROM r AS a JOIN r AS b ON a.n = b.n

-- UNION
SELECT 1 AS a UNION SELECT 2

-- UNION ALL
SELECT 1 AS a UNION ALL SELECT 2

-- UNION DISTINCT
SELECT 1 AS a UNION DISTINCT SELECT 2

-- EXCEPT
SELECT 1 AS a EXCEPT SELECT 2

-- EXCEPT ALL
SELECT 1 AS a EXCEPT ALL SELECT 2

-- MINUS
SELECT 1 AS a MINUS SELECT 2

-- INTERSECT
SELECT 1 AS a INTERSECT SELECT 2

-- INTERSECT ALL
SELECT a FROM VALUES (1), (1), (2) t(a) INTERSECT ALL SELECT a FROM VALUES (1) t(a)

-- set operation in parentheses
(SELECT 1 AS a ORDER BY a LIMIT 1) UNION ALL (SELECT 2)

-- set operation of structs with other field names
SELECT named_struct('a', 1) AS s UNION ALL SELECT named_struct('b', 2)

-- INNER JOIN ON
SELECT * FROM VALUES (1) t(a) INNER JOIN VALUES (1) u(b) ON a = b

-- LEFT JOIN
SELECT * FROM VALUES (1) t(a) LEFT JOIN VALUES (1) u(b) ON a = b

-- RIGHT JOIN
SELECT * FROM VALUES (1) t(a) RIGHT OUTER JOIN VALUES (1) u(b) ON a = b

-- FULL JOIN
SELECT * FROM VALUES (1) t(a) FULL OUTER JOIN VALUES (1) u(b) ON a = b

-- SEMI JOIN
SELECT * FROM VALUES (1) t(a) LEFT SEMI JOIN VALUES (1) u(b) ON a = b

-- ANTI JOIN
SELECT * FROM VALUES (1) t(a) LEFT ANTI JOIN VALUES (1) u(b) ON a = b

-- CROSS JOIN
SELECT * FROM VALUES (1) t(a) CROSS JOIN VALUES (1) u(b)

-- comma join
SELECT * FROM VALUES (1) t(a), VALUES (1) u(b)

-- JOIN USING
SELECT * FROM VALUES (1) t(a) JOIN VALUES (1) u(a) USING (a)

-- NATURAL JOIN
SELECT * FROM VALUES (1) t(a) NATURAL FULL JOIN VALUES (1) u(a)

-- JOIN LATERAL
SELECT * FROM VALUES (1) t(a) JOIN LATERAL (SELECT a + 1 AS b)

-- JOIN LATERAL ON
SELECT * FROM VALUES (1) t(a) JOIN LATERAL (SELECT a + 1 AS b) u ON b > a

-- LEFT JOIN LATERAL
SELECT * FROM VALUES (1) t(a) LEFT JOIN LATERAL (SELECT a + 1 AS b) u ON b > 5

-- comma LATERAL
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT a + 1 AS b)

-- LATERAL with an aggregate
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT sum(c) AS s FROM VALUES (1) u(c) WHERE c = a)

-- LATERAL with a condition that is not an equality
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT sum(c) AS s FROM VALUES (1) u(c) WHERE c < a)

-- LATERAL with ORDER BY and LIMIT
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT c FROM VALUES (1) u(c) WHERE c <= a ORDER BY c DESC LIMIT 1)

-- LATERAL with OFFSET
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT c FROM VALUES (1), (0) u(c) WHERE c <= a ORDER BY c LIMIT 1 OFFSET 1)

-- LATERAL with UNION ALL
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT a AS c UNION ALL SELECT a + 1)

-- LATERAL with a window
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT rank() OVER (ORDER BY c) AS r FROM VALUES (1) u(c) WHERE c = a)

-- LATERAL with DISTINCT
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT DISTINCT c FROM VALUES (1) u(c) WHERE c = a)

-- LATERAL with a join
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT c FROM VALUES (1) u(c) JOIN VALUES (1) v(d) ON c = d AND c = a)

-- LATERAL of a LATERAL
SELECT * FROM VALUES (1) t(a), LATERAL (SELECT * FROM VALUES (1) u(c), LATERAL (SELECT c + 1 AS d))

-- LATERAL of a table function
SELECT * FROM VALUES (array(1)) t(a), LATERAL explode(a) AS u(x)

-- JOIN LATERAL of a table function
SELECT * FROM VALUES (array(1)) t(a) LEFT JOIN LATERAL explode(a) AS u(x)

-- LATERAL VIEW
SELECT * FROM VALUES (array(1)) t(a) LATERAL VIEW explode(a) u AS x

-- LATERAL VIEW OUTER
SELECT * FROM VALUES (array(1)) t(a) LATERAL VIEW OUTER posexplode(a) u AS p, x

-- EXACT NEAREST BY DISTANCE
SELECT * FROM VALUES (1) t(a) JOIN VALUES (1) u(b) EXACT NEAREST 1 BY DISTANCE abs(a - b)

-- EXACT NEAREST BY SIMILARITY
SELECT * FROM VALUES (1) t(a) JOIN VALUES (1) u(b) EXACT NEAREST BY SIMILARITY abs(a - b)

-- APPROX NEAREST BY DISTANCE
SELECT * FROM VALUES (1) t(a) LEFT JOIN VALUES (1) u(b) APPROX NEAREST 1 BY DISTANCE abs(a - b)

-- ASOF JOIN
SELECT * FROM VALUES (1, 'a') t(a, k) LEFT ASOF JOIN VALUES (0, 'a') u(b, j) MATCH_CONDITION (a >= b) ON k = j

-- table function
SELECT * FROM range(3)

-- table function with a generator
SELECT * FROM explode(array(1, 2)) AS t(x)

-- table function with a named argument
SELECT * FROM explode(collection => array(1, 2)) AS t(x)

-- table function with a TABLE argument
SELECT * FROM stack(1, (SELECT max(a) FROM VALUES (1) t(a)))

-- TABLESAMPLE of a percentage
SELECT count(*) >= 0 AS a FROM programs.left_bag TABLESAMPLE (50 PERCENT)

-- TABLESAMPLE REPEATABLE
SELECT count(*) >= 0 AS a FROM programs.left_bag TABLESAMPLE (50 PERCENT) REPEATABLE (1)

-- TABLESAMPLE BUCKET
SELECT count(*) >= 0 AS a FROM programs.left_bag TABLESAMPLE (BUCKET 1 OUT OF 2)

-- TABLESAMPLE BERNOULLI
SELECT count(*) >= 0 AS a FROM programs.left_bag TABLESAMPLE BERNOULLI (50 PERCENT)

-- CHANGES of a table
SELECT * FROM programs.left_bag CHANGES FROM VERSION 1 TO VERSION 2

-- table options
SELECT * FROM programs.left_bag WITH (mergeSchema = 'true')

-- STREAM
CREATE OR REPLACE TEMPORARY VIEW probed_stream AS SELECT * FROM STREAM programs.left_bag;
DROP VIEW probed_stream

-- IDENTIFIED BY of a stream
CREATE OR REPLACE TEMPORARY VIEW probed_stream AS SELECT * FROM STREAM programs.left_bag IDENTIFIED BY bag;
DROP VIEW probed_stream

-- WATERMARK
SELECT * FROM programs.events WATERMARK ts DELAY OF INTERVAL 1 MINUTE

-- WATERMARK with a name
SELECT * FROM programs.events WATERMARK CAST(day AS TIMESTAMP) AS d DELAY OF INTERVAL 1 MINUTE

-- PIVOT
SELECT * FROM VALUES (1, 'x', 2) t(a, b, c) PIVOT (sum(c) FOR b IN ('x', 'y'))

-- PIVOT with aliases
SELECT * FROM VALUES (1, 'x', 2) t(a, b, c) PIVOT (sum(c) AS s, max(c) AS m FOR b IN ('x' AS p, 'y' AS q))

-- PIVOT by several columns
SELECT * FROM VALUES (1, 'x', 2) t(a, b, c) PIVOT (sum(c) FOR (a, b) IN ((1, 'x'), (2, 'y')))

-- PIVOT with a named table
SELECT p.* FROM VALUES (1, 'x', 2) t(a, b, c) PIVOT (sum(c) FOR b IN ('x', 'y')) AS p

-- UNPIVOT
SELECT * FROM VALUES (1, 2, 3) t(a, b, c) UNPIVOT (v FOR n IN (b, c))

-- UNPIVOT INCLUDE NULLS
SELECT * FROM VALUES (1, 2, 3) t(a, b, c) UNPIVOT INCLUDE NULLS (v FOR n IN (b AS x, c AS y))

-- UNPIVOT EXCLUDE NULLS
SELECT * FROM VALUES (1, 2, 3) t(a, b, c) UNPIVOT EXCLUDE NULLS (v FOR n IN (b, c))

-- UNPIVOT of several columns
SELECT * FROM VALUES (1, 2, 3, 4, 5) t(a, b, c, d, e) UNPIVOT ((v, w) FOR n IN ((b, c) AS x, (d, e) AS y))

-- TRANSFORM
SELECT TRANSFORM (a, b) USING 'cat' AS (x STRING, y STRING) FROM VALUES (1, 2) t(a, b)

-- MAP USING
MAP a, b USING 'cat' AS (x STRING, y STRING) FROM VALUES (1, 2) t(a, b)

-- IDENTIFIER of a table
SELECT * FROM IDENTIFIER('programs.left_bag')

-- IDENTIFIER of a column
SELECT IDENTIFIER('a') FROM VALUES (1) t(a)

-- IDENTIFIER of a function
SELECT IDENTIFIER('abs')(-1) AS a

-- IDENTIFIER of an alias
SELECT 1 AS IDENTIFIER('a')

-- IDENTIFIER of a computed name
SELECT * FROM IDENTIFIER('programs.' || 'left_bag')

-- subquery: scalar
SELECT (SELECT max(a) FROM VALUES (1) t(a)) AS m

-- subquery: scalar and correlated
SELECT (SELECT max(b) FROM VALUES (1, 2) u(c, b) WHERE c = a) AS m FROM VALUES (1) t(a)

-- subquery: scalar with a condition that is not an equality
SELECT (SELECT max(b) FROM VALUES (1, 2) u(c, b) WHERE c < a) AS m FROM VALUES (1) t(a)

-- subquery: scalar with ORDER BY and LIMIT
SELECT (SELECT b FROM VALUES (1, 2) u(c, b) WHERE c = a ORDER BY b LIMIT 1) AS m FROM VALUES (1) t(a)

-- subquery: scalar with LIMIT and OFFSET
SELECT (SELECT b FROM VALUES (1, 2) u(c, b) WHERE c = a ORDER BY b LIMIT 1 OFFSET 1) AS m FROM VALUES (1) t(a)

-- subquery: scalar with UNION ALL
SELECT (SELECT sum(b) FROM (SELECT b FROM VALUES (1, 2) u(c, b) WHERE c = a UNION ALL SELECT 1)) AS m FROM VALUES (1) t(a)

-- subquery: scalar in a group key
SELECT (SELECT max(c) FROM VALUES (5) u(c)) AS k, count(*) AS n FROM VALUES (1) t(a) GROUP BY (SELECT max(c) FROM VALUES (5) u(c))

-- subquery: scalar below an aggregate
SELECT sum((SELECT max(c) FROM VALUES (5) u(c) WHERE c > a)) AS s FROM VALUES (1) t(a)

-- subquery: EXISTS
SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1) u(b) WHERE a = b)

-- subquery: EXISTS with LIMIT
SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1) u(b) WHERE a = b LIMIT 1)

-- subquery: EXISTS with OFFSET
SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1) u(b) WHERE a = b LIMIT 1 OFFSET 1)

-- subquery: EXISTS with UNION ALL
SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1) u(b) WHERE a = b UNION ALL SELECT 1 WHERE a = 2)

-- subquery: EXISTS in SELECT
SELECT EXISTS (SELECT 1 FROM VALUES (1) u(b) WHERE a = b) AS e FROM VALUES (1) t(a)

-- subquery: IN
SELECT * FROM VALUES (1) t(a) WHERE a IN (SELECT b FROM VALUES (1) u(b))

-- subquery: NOT IN
SELECT * FROM VALUES (1) t(a) WHERE a NOT IN (SELECT b FROM VALUES (1) u(b))

-- subquery: IN in SELECT
SELECT a IN (SELECT b FROM VALUES (1) u(b)) AS i FROM VALUES (1) t(a)

-- subquery: IN of rows
SELECT * FROM VALUES (1, 2) t(a, b) WHERE (a, b) IN (SELECT * FROM VALUES (1, 2) u(c, d))

-- subquery: IN below OR
SELECT * FROM VALUES (1) t(a) WHERE a IN (SELECT b FROM VALUES (1) u(b)) OR a > 5

-- subquery: IN with LIMIT
SELECT * FROM VALUES (1) t(a) WHERE a IN (SELECT b FROM VALUES (1) u(b) WHERE b = a LIMIT 1)

-- subquery: IN in a join condition
SELECT * FROM VALUES (1) t(a) JOIN VALUES (1) u(b) ON a = b AND a IN (SELECT c FROM VALUES (1) v(c))

-- subquery: correlated over two levels
SELECT (SELECT max(b) FROM VALUES (1) u(b) WHERE b IN (SELECT c FROM VALUES (1) v(c) WHERE c = b)) AS m FROM VALUES (1) t(a)

-- subquery: outer aggregate in HAVING
SELECT a FROM VALUES (1, 2) t(a, b) GROUP BY a HAVING EXISTS (SELECT 1 FROM VALUES (1) u(c) WHERE c < max(b))

-- lambda
SELECT transform(array(1), (x, i) -> x + i) AS a

-- lambda with a lambda
SELECT transform(array(array(1)), x -> transform(x, y -> y + size(x))) AS a

-- named argument
SELECT mask('Ab1', upperChar => 'X', lowerChar => 'y', digitChar => 'n') AS m

-- CAST operator
SELECT '1' :: INT AS a

-- TRY_CAST
SELECT try_cast('x' AS INT) AS a

-- CASE
SELECT CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE 'z' END AS x FROM VALUES (1) t(a)

-- BETWEEN
SELECT 1 BETWEEN 0 AND 2 AS b, 1 NOT BETWEEN 0 AND 2 AS c

-- LIKE ESCAPE
SELECT 'a%' LIKE 'a#%' ESCAPE '#' AS b

-- ILIKE
SELECT 'A' ILIKE 'a%' AS b

-- LIKE ANY
SELECT 'a' LIKE ANY ('a', 'b') AS b, 'a' NOT LIKE ALL ('a', 'b') AS c

-- RLIKE
SELECT 'a' RLIKE 'a|b' AS b, 'a' REGEXP 'a|b' AS c

-- IS DISTINCT FROM
SELECT 1 IS DISTINCT FROM 2 AS b, 1 IS NOT DISTINCT FROM NULL AS c

-- IS TRUE
SELECT true IS TRUE AS a, NULL IS NOT FALSE AS b, NULL IS UNKNOWN AS c

-- IN list
SELECT 1 IN (1, 2) AS a, 1 NOT IN (1, NULL) AS b

-- IN of rows
SELECT (1, 2) IN ((1, 2), (3, 4)) AS a

-- operator <=>
SELECT 1 <=> NULL AS a

-- operator !
SELECT !true AS a

-- operator ||
SELECT 'a' || 1 AS a, array(1) || array(2) AS b

-- operators of bits
SELECT 1 & 3 AS a, 1 | 2 AS b, 1 ^ 3 AS c, ~1 AS d

-- operators of shifts
SELECT 1 << 2 AS a, 8 >> 1 AS b, 8 >>> 1 AS c

-- operator DIV
SELECT 7 DIV 2 AS a, 7 % 2 AS b

-- operators !> and !<
SELECT 1 !> 2 AS a, 1 !< 2 AS b

-- index of an array
SELECT array(1, 2)[0] AS a, map('k', 1)['k'] AS b

-- field of an array of structs
SELECT array(named_struct('x', 1)).x AS a

-- EXTRACT
SELECT extract(YEAR FROM DATE '2024-01-02') AS a, extract(SECOND FROM TIMESTAMP '2024-01-02 03:04:05.6') AS b

-- SUBSTRING FROM FOR
SELECT substring('abc' FROM 2 FOR 1) AS a

-- TRIM
SELECT trim(BOTH 'x' FROM 'xax') AS a, trim(LEADING FROM ' a') AS b, trim(TRAILING 'x' FROM 'ax') AS c

-- OVERLAY
SELECT overlay('abc' PLACING 'x' FROM 2 FOR 1) AS a

-- POSITION
SELECT position('b' IN 'abc') AS a

-- FLOOR with a scale
SELECT floor(1.25, 1) AS a, ceil(1.25, 1) AS b

-- TIMESTAMPADD
SELECT timestampadd(HOUR, 1, TIMESTAMP '2024-01-01 00:00:00') AS a, timestampdiff(DAY, DATE '2024-01-01', DATE '2024-01-02') AS b

-- DATE_ADD with a unit
SELECT dateadd(MONTH, 1, DATE '2024-01-01') AS a, datediff(MONTH, DATE '2024-01-01', DATE '2024-03-01') AS b

-- date arithmetic
SELECT DATE '2024-01-01' + 1 AS a, DATE '2024-01-02' - DATE '2024-01-01' AS b, DATE '2024-01-02' + INTERVAL '1' MONTH AS c

-- CURRENT_DATE without parentheses
SELECT current_date > DATE '2024-01-01' AS a, current_timestamp > TIMESTAMP '2024-01-01 00:00:00' AS b, current_user <> '' AS c

-- CURRENT_TIME without parentheses
SELECT current_time IS NOT NULL AS a

-- CURRENT_TIME with a precision
SELECT current_time(3) IS NOT NULL AS a

-- COLLATE
SELECT 'a' COLLATE UTF8_LCASE = 'A' AS a

-- COLLATE of a qualified collation
SELECT 'a' COLLATE system.builtin.UTF8_LCASE = 'A' AS a

-- collation UNICODE_CI
SELECT 'a' COLLATE UNICODE_CI = 'A' AS a

-- collation of a language
SELECT 'a' COLLATE de_AI = 'A' AS a

-- CAST of a string to a TIME of fewer digits
SELECT CAST(a AS TIME(0)) AS a, TRY_CAST(a AS TIME(3)) AS b FROM VALUES ('12:34:56.123456') t(a)

-- CAST of a TIME to a TIME of fewer digits
SELECT CAST(a AS TIME(0)) AS a, TRY_CAST(a AS TIME(3)) AS b FROM VALUES (TIME '12:34:56.123456') t(a)

-- collation with RTRIM
SELECT 'a' COLLATE UTF8_BINARY_RTRIM = 'a ' AS a

-- VARIANT path
SELECT parse_json('{"a": [1]}'):a[0] AS a

-- VARIANT path in brackets
SELECT parse_json('{"a": [1]}'):['a'] AS a

-- VARIANT path with a cast
SELECT parse_json('{"a": [1]}'):a[0]::INT AS a

-- literal: integers
SELECT 1Y AS a, 1S AS b, 1 AS c, 1L AS d

-- literal: decimals
SELECT 1.5 AS a, 1.5BD AS b, 1.50 AS c, 123456789012345678901 AS d

-- literal: floating point
SELECT 1.5D AS a, 1.5F AS b, 1e3 AS c

-- literal: strings
SELECT 'a\'b' AS a, "a" AS b, r'a\b' AS c, 'a' 'b' AS d, 'é' AS e

-- literal: doubled quote
SELECT 'a''b' AS a

-- literal: binary
SELECT X'00FF' AS a

-- literal: DATE
SELECT DATE '2024-01-02' AS a

-- literal: TIMESTAMP
SELECT TIMESTAMP '2024-01-02 03:04:05.123456' AS a, TIMESTAMP '2024-01-02 03:04:05Z' AS b

-- literal: TIMESTAMP_NTZ
SELECT TIMESTAMP_NTZ '2024-01-02 03:04:05.123456' AS a

-- literal: TIMESTAMP_LTZ
SELECT TIMESTAMP_LTZ '2024-01-02 03:04:05.123456' AS a

-- literal: TIME
SELECT TIME '03:04:05.123456' AS a

-- literal: year-month interval
SELECT INTERVAL '1-2' YEAR TO MONTH AS a, INTERVAL '1' YEAR AS b, INTERVAL '-3' MONTH AS c

-- literal: day-time interval
SELECT INTERVAL '1 02:03:04.5' DAY TO SECOND AS a, INTERVAL '1' HOUR AS b, INTERVAL '1:02' MINUTE TO SECOND AS c

-- literal: interval of units
SELECT INTERVAL 1 DAY 2 HOURS AS a, INTERVAL 3 WEEKS AS b, INTERVAL '1 year 2 months' AS c

-- literal: calendar interval
SELECT make_interval(1, 2, 0, 3) AS a

-- literal: NULL
SELECT NULL AS a, CAST(NULL AS ARRAY<INT>) AS b

-- literal: special dates
SELECT DATE 'epoch' AS a

-- literal: struct
SELECT (1, 'a') AS a, (1 AS x, 2 AS y) AS b

-- type: BOOLEAN
SELECT CAST(NULL AS BOOLEAN) AS a

-- type: integers
SELECT CAST(NULL AS TINYINT) AS a, CAST(NULL AS SMALLINT) AS b, CAST(NULL AS INT) AS c, CAST(NULL AS BIGINT) AS d

-- type: DECIMAL
SELECT CAST(NULL AS DECIMAL(38, 18)) AS a, CAST(NULL AS DECIMAL) AS b

-- type: FLOAT and DOUBLE
SELECT CAST(NULL AS FLOAT) AS a, CAST(NULL AS DOUBLE) AS b, CAST(NULL AS REAL) AS c

-- type: STRING
SELECT CAST(NULL AS STRING) AS a

-- type: CHAR and VARCHAR
SELECT CAST('a' AS CHAR(3)) AS a, CAST('a' AS VARCHAR(3)) AS b

-- type: STRING with a collation
SELECT CAST('a' AS STRING COLLATE UTF8_LCASE) AS a

-- type: BINARY
SELECT CAST(NULL AS BINARY) AS a

-- type: DATE
SELECT CAST(NULL AS DATE) AS a

-- type: TIMESTAMP
SELECT CAST(NULL AS TIMESTAMP) AS a, CAST(NULL AS TIMESTAMP_LTZ) AS b

-- type: TIMESTAMP_NTZ
SELECT CAST(NULL AS TIMESTAMP_NTZ) AS a

-- type: TIMESTAMP WITHOUT TIME ZONE
SELECT CAST(NULL AS TIMESTAMP WITHOUT TIME ZONE) AS a

-- type: TIME
SELECT CAST(NULL AS TIME) AS a, CAST(NULL AS TIME(3)) AS b

-- type: year-month interval
SELECT CAST(NULL AS INTERVAL YEAR TO MONTH) AS a, CAST(NULL AS INTERVAL MONTH) AS b

-- type: day-time interval
SELECT CAST(NULL AS INTERVAL DAY TO SECOND) AS a, CAST(NULL AS INTERVAL HOUR) AS b

-- type: calendar interval
SELECT CAST(NULL AS INTERVAL) AS a

-- type: ARRAY
SELECT CAST(NULL AS ARRAY<INT>) AS a

-- type: MAP
SELECT CAST(NULL AS MAP<STRING, INT>) AS a

-- type: STRUCT
SELECT CAST(NULL AS STRUCT<a: INT, b STRING>) AS a

-- type: STRUCT with NOT NULL
SELECT CAST(NULL AS STRUCT<a: INT NOT NULL COMMENT 'c'>) AS a

-- type: STRUCT without fields
SELECT CAST(NULL AS STRUCT<>) AS a

-- type: VOID
SELECT CAST(NULL AS VOID) AS a

-- type: VARIANT
SELECT CAST(NULL AS VARIANT) AS a

-- type: GEOMETRY
SELECT CAST(NULL AS GEOMETRY(4326)) AS a

-- type: GEOMETRY of any system
SELECT CAST(NULL AS GEOMETRY(ANY)) AS a

-- type: GEOGRAPHY
SELECT CAST(NULL AS GEOGRAPHY(4326)) AS a

-- type: GEOGRAPHY of any system
SELECT CAST(NULL AS GEOGRAPHY(ANY)) AS a

-- pipe SELECT
FROM VALUES (1, 2) t(a, b) |> SELECT a, b + 1 AS c

-- pipe SELECT DISTINCT
FROM VALUES (1, 2) t(a, b) |> SELECT DISTINCT a

-- pipe SELECT with a window
FROM VALUES (1, 2) t(a, b) |> SELECT sum(a) OVER w AS s WINDOW w AS (ORDER BY b)

-- pipe SELECT GROUP BY
FROM VALUES (1, 2) t(a, b) |> SELECT a, sum(b) AS s GROUP BY a

-- pipe EXTEND
FROM VALUES (1, 2) t(a, b) |> EXTEND a + 1 AS c

-- pipe SET
FROM VALUES (1, 2) t(a, b) |> SET a = a + 1

-- pipe DROP
FROM VALUES (1, 2) t(a, b) |> DROP a

-- pipe AS
FROM VALUES (1, 2) t(a, b) |> AS u |> SELECT u.a

-- pipe WHERE
FROM VALUES (1, 2) t(a, b) |> WHERE a > 0

-- pipe AGGREGATE
FROM VALUES (1, 2) t(a, b) |> AGGREGATE sum(b) AS s GROUP BY a

-- pipe AGGREGATE without keys
FROM VALUES (1, 2) t(a, b) |> AGGREGATE sum(b) AS s

-- pipe JOIN
FROM VALUES (1, 2) t(a, b) |> JOIN VALUES (1) u(c) ON a = c

-- pipe JOIN LATERAL
FROM VALUES (1, 2) t(a, b) |> JOIN LATERAL (SELECT a + 1 AS c)

-- pipe UNION
FROM VALUES (1, 2) t(a, b) |> UNION ALL VALUES (1, 2)

-- pipe INTERSECT
FROM VALUES (1, 2) t(a, b) |> INTERSECT VALUES (1, 2)

-- pipe ORDER BY
FROM VALUES (1, 2) t(a, b) |> ORDER BY a DESC

-- pipe LIMIT
FROM VALUES (1, 2) t(a, b) |> LIMIT 1 OFFSET 1

-- pipe PIVOT
FROM VALUES (1, 'x') t(a, b) |> PIVOT (sum(a) FOR b IN ('x', 'y'))

-- pipe UNPIVOT
FROM VALUES (1, 2, 3) t(a, b, c) |> UNPIVOT (v FOR n IN (b, c))

-- pipe TABLESAMPLE
FROM VALUES (1, 2) t(a, b) |> TABLESAMPLE (1 ROWS)

-- pipe after SELECT
SELECT 1 AS a |> WHERE a > 0

-- pipe after TABLE
TABLE programs.left_bag |> SELECT x

-- pipe with a single character
FROM VALUES (1, 2) t(a, b) | WHERE a > 0

-- JSON_TABLE
SELECT * FROM VALUES ('[1]') t(j), LATERAL json_table(j, '$[*]' COLUMNS (v INT PATH '$'))

-- temporary view
CREATE OR REPLACE TEMPORARY VIEW v AS SELECT 1 AS a;
DROP VIEW v

-- view
CREATE VIEW programs.v AS SELECT 1 AS a;
DROP VIEW programs.v

-- view with columns and comments
CREATE VIEW programs.v (x COMMENT 'c') COMMENT 'd' TBLPROPERTIES ('k' = 'v') AS SELECT 1 AS a;
DROP VIEW programs.v

-- view WITH SCHEMA BINDING
CREATE VIEW programs.v WITH SCHEMA BINDING AS SELECT 1 AS a;
DROP VIEW programs.v

-- view WITH SCHEMA COMPENSATION
CREATE VIEW programs.v WITH SCHEMA COMPENSATION AS SELECT 1 AS a;
DROP VIEW programs.v

-- view WITH SCHEMA EVOLUTION
CREATE VIEW programs.v WITH SCHEMA EVOLUTION AS SELECT 1 AS a;
DROP VIEW programs.v

-- view DEFAULT COLLATION
CREATE VIEW programs.v DEFAULT COLLATION UTF8_LCASE AS SELECT 'a' AS a;
DROP VIEW programs.v

-- view ALTER AS
CREATE VIEW programs.v AS SELECT 1 AS a;
ALTER VIEW programs.v AS SELECT 2 AS b;
DROP VIEW programs.v

-- view over steps of WITH
CREATE VIEW programs.v AS WITH q AS (SELECT 1 AS a) SELECT * FROM q;
DROP VIEW programs.v

-- table
CREATE TABLE programs.made (a INT COMMENT 'c', b STRING) USING parquet PARTITIONED BY (b) COMMENT 'd' TBLPROPERTIES ('k' = 'v');
DROP TABLE programs.made

-- table with a DEFAULT
CREATE TABLE programs.made (a INT DEFAULT 1, b STRING) USING parquet;
DROP TABLE programs.made

-- table of a VARIANT
CREATE TABLE programs.made (a VARIANT) USING parquet;
DROP TABLE programs.made

-- table of a TIME
CREATE TABLE programs.made (a TIME) USING parquet;
DROP TABLE programs.made

-- table of a collation
CREATE TABLE programs.made (a STRING COLLATE UTF8_LCASE) USING parquet;
DROP TABLE programs.made

-- table of a query
CREATE TABLE programs.made USING parquet AS SELECT 1 AS a;
DROP TABLE programs.made

-- INSERT
CREATE TABLE programs.made (a INT, b STRING) USING parquet;
INSERT INTO programs.made VALUES (1, 'a');
DROP TABLE programs.made

-- INSERT with columns
CREATE TABLE programs.made (a INT, b STRING) USING parquet;
INSERT INTO programs.made (b, a) VALUES ('a', 1);
DROP TABLE programs.made

-- INSERT BY NAME
CREATE TABLE programs.made (a INT, b STRING) USING parquet;
INSERT INTO programs.made BY NAME SELECT 'a' AS b, 1 AS a;
DROP TABLE programs.made

-- INSERT OVERWRITE
CREATE TABLE programs.made (a INT, b STRING) USING parquet;
INSERT OVERWRITE programs.made SELECT 1, 'a';
DROP TABLE programs.made

-- INSERT into a partition
CREATE TABLE programs.made (a INT, b STRING) USING parquet PARTITIONED BY (b);
INSERT OVERWRITE programs.made PARTITION (b = 'x') SELECT 1;
DROP TABLE programs.made

-- INSERT of a query of WITH
CREATE TABLE programs.made (a INT) USING parquet;
INSERT INTO programs.made WITH q AS (SELECT 1 AS a) SELECT * FROM q;
DROP TABLE programs.made

-- SQL function
CREATE FUNCTION programs.f(x INT) RETURNS INT RETURN x + 1;
SELECT programs.f(1) AS a;
DROP FUNCTION programs.f

-- SQL function with a DEFAULT
CREATE FUNCTION programs.f(x INT DEFAULT 1) RETURNS INT RETURN x + 1;
SELECT programs.f() AS a;
DROP FUNCTION programs.f

-- SQL function that returns a table
CREATE FUNCTION programs.f(x INT) RETURNS TABLE (y INT) RETURN SELECT x + 1;
SELECT * FROM programs.f(1);
DROP FUNCTION programs.f

-- temporary SQL function
CREATE TEMPORARY FUNCTION f(x INT) RETURNS INT RETURN x + 1;
SELECT f(1) AS a;
DROP TEMPORARY FUNCTION f

-- qualified built-in function
SELECT system.builtin.abs(-1) AS a

-- qualified built-in function by schema
SELECT builtin.abs(-1) AS a

-- variable
DECLARE OR REPLACE VARIABLE v INT DEFAULT 1;
SET VAR v = 2;
SELECT v AS a;
DROP TEMPORARY VARIABLE v

-- EXECUTE IMMEDIATE
EXECUTE IMMEDIATE 'SELECT 1 AS a'

-- EXECUTE IMMEDIATE with parameters
EXECUTE IMMEDIATE 'SELECT ? AS a' USING 1

-- DESCRIBE QUERY
DESCRIBE QUERY SELECT 1 AS a

-- SHOW SYSTEM FUNCTIONS
SHOW SYSTEM FUNCTIONS LIKE 'abs'

-- SHOW COLLATIONS
SHOW COLLATIONS LIKE 'NO_SUCH_COLLATION'

-- script
BEGIN DECLARE x INT DEFAULT 1; SELECT x AS a; END

-- ORDER BY of an aggregate after HAVING
SELECT sum(a) AS s FROM VALUES (1, 2) t(a, b) GROUP BY b HAVING sum(a) > 0 ORDER BY sum(a) + 1

-- ORDER BY of a key of ROLLUP that is not selected
SELECT count(*) AS n FROM VALUES (1, 2) t(a, b) GROUP BY ROLLUP (a) ORDER BY a

-- ORDER BY of an aggregate that is not selected
SELECT b FROM VALUES (1, 2) t(a, b) GROUP BY b ORDER BY sum(a) + 1

-- FILTER of an aggregate over a window in an order
SELECT count(a) FILTER (WHERE b > 1) OVER (ORDER BY b) AS s FROM VALUES (1, 2) t(a, b)

-- window RANGE of an interval over dates
SELECT count(*) OVER (ORDER BY a RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW) AS s FROM VALUES (DATE '2024-01-01'), (DATE '2024-05-01') t(a)

-- window RANGE of an interval over timestamps
SELECT count(*) OVER (ORDER BY a RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) AS s FROM VALUES (TIMESTAMP '2024-01-01 00:00:00') t(a)

-- window RANGE of an interval over timestamps without a zone
SELECT count(*) OVER (ORDER BY a RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) AS s FROM VALUES (TIMESTAMP_NTZ '2024-01-01 00:00:00') t(a)

-- struct without fields
SELECT named_struct() AS s FROM VALUES (1) t(a)

-- comparison of structs with other field names
SELECT named_struct('x', a) = named_struct('y', 1) AS e FROM VALUES (1) t(a)

-- GROUP BY of a calendar interval
SELECT i, count(*) AS n FROM VALUES (make_interval(1)) t(i) GROUP BY i

-- GROUP BY of a map
SELECT m, count(*) AS n FROM VALUES (map('a', 1)) t(m) GROUP BY m

-- set operation of a VARIANT
SELECT count(*) AS n FROM (SELECT parse_json('1') AS v UNION ALL SELECT parse_json('2'))

-- field of NULL
SELECT n.a FROM VALUES (NULL) t(n)

-- date plus NULL
SELECT DATE '2024-01-01' + NULL AS a, DATE '2024-01-01' - NULL AS b

-- subquery: EXISTS with an outer reference in a join condition
SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (1) u(b) JOIN VALUES (1) v(c) ON b = c AND b = a)

-- subquery: EXISTS with a column of the outer row
SELECT * FROM VALUES (1) t(a) WHERE EXISTS (SELECT 1 FROM (SELECT b, a AS c FROM VALUES (1) u(b)) AS v WHERE b = c)

-- subquery: EXISTS in the condition of an outer join
SELECT * FROM VALUES (1) t(a) LEFT JOIN VALUES (1) u(b) ON a = b AND EXISTS (SELECT 1 FROM VALUES (1) v(c) WHERE c = b)

-- subquery: NOT EXISTS in the condition of a join
SELECT * FROM VALUES (1) t(a) JOIN VALUES (1) u(b) ON a = b AND NOT EXISTS (SELECT 1 FROM VALUES (1) v(c) WHERE c = a)

-- subquery: a table function of the outer row
SELECT * FROM VALUES (array(1)) t(a) WHERE 1 IN (SELECT col FROM explode(t.a))

-- LATERAL with a map of the outer row
SELECT * FROM VALUES (map(1, 2)) t(m) JOIN LATERAL (SELECT t.m[1] + c AS q FROM VALUES (1) u(c) WHERE t.m[1] >= c)

-- PIVOT with a value twice
SELECT * FROM VALUES (1, 'x', 2) t(a, b, c) PIVOT (sum(c) AS s, count(*) AS n FOR b IN ('x' AS p, 'x' AS q))

-- subquery: scalar without an aggregate as a group key
SELECT k, count(*) AS n FROM (SELECT (SELECT b FROM VALUES (1, 2) u(c, b) WHERE c = t.a) AS k FROM VALUES (1) t(a)) GROUP BY k

-- IDENTIFIER of a column in ORDER BY
SELECT a FROM VALUES (1) AS t(a) ORDER BY IDENTIFIER('a')

-- WITHIN GROUP with FILTER over a window
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) FILTER (WHERE b > 1) OVER (PARTITION BY b) AS s FROM VALUES (1, 2) t(a, b)

-- common type of decimals of many digits
SELECT CAST(1 AS DECIMAL(38, 20)) AS a UNION ALL SELECT CAST(1 AS DECIMAL(38, 11))

-- division of decimals
SELECT CAST(1 AS DECIMAL(27, 2)) / CAST(3 AS DECIMAL(27, 2)) AS a

-- EXISTS of an aggregate without keys
SELECT a FROM VALUES (1), (2) t(a) WHERE EXISTS (SELECT max(x) FROM VALUES (1) u(x) WHERE x = a)

-- EXISTS of an aggregate beside ROLLUP
WITH q AS (SELECT a, sum(b) AS n FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY ROLLUP (a)) SELECT * FROM q WHERE EXISTS (SELECT max(x) FROM VALUES (1) u(x) WHERE x = q.a) AND n > 1

-- EXISTS beside ROLLUP
WITH q AS (SELECT a, sum(b) AS n FROM VALUES (1, 2), (2, 3) t(a, b) GROUP BY ROLLUP (a)) SELECT * FROM q WHERE EXISTS (SELECT x FROM VALUES (1) u(x) WHERE x <=> q.a) AND n > 1

-- collation with RTRIM of a language
SELECT 'a' COLLATE de_CI_AI_RTRIM = 'A ' AS a

-- INTERVAL of a computed constant in a window
SELECT count(*) OVER (ORDER BY a RANGE BETWEEN INTERVAL '9001' DAY PRECEDING AND CURRENT ROW) AS s FROM VALUES (DATE '2024-01-01') t(a)

-- nullability of MAP
SELECT map('a', 1) AS m

-- literal: the least integers
SELECT -128Y AS a, -32768S AS b, -2147483648 AS c, -9223372036854775808L AS d

-- PIVOT of a query
SELECT * FROM (SELECT 1 AS a, 'x' AS k, 2 AS v) PIVOT (sum(v) FOR k IN ('x' AS x))

-- LEFT JOIN LATERAL of a table function with a condition
SELECT a, s FROM VALUES (1, array(1)) t(a, b) LEFT JOIN LATERAL explode(b) u(s) ON s > 5

-- subquery: EXISTS in an aggregate
SELECT sum(CASE WHEN EXISTS (SELECT 1 FROM VALUES (1) u(c) WHERE c = a) THEN 1 END) AS s FROM VALUES (1) t(a)

-- subquery: EXISTS with a condition that is not an equality
SELECT a FROM VALUES (1), (2) t(a) WHERE EXISTS (SELECT 1 FROM VALUES (2) u(c) WHERE c > a)

-- type: TIME of nanoseconds
SELECT CAST('12:34:56.123456789' AS TIME(9)) AS a

-- subquery: scalar and correlated without an aggregate
SELECT (SELECT b FROM VALUES (1, 2), (3, 4) u(c, b) WHERE c = t.a) AS k FROM VALUES (1) t(a)

-- TIMEs of two precisions
SELECT CAST('01:02:03' AS TIME(1)) = CAST('01:02:03' AS TIME(0)) AS a

-- EXTRACT of the day of the week
SELECT EXTRACT(DOW FROM DATE '2024-02-29') AS a

-- PERCENTILE with a frequency
SELECT percentile(a, 0.5D, b) AS p FROM VALUES (1, 1), (2, 5) t(a, b)

-- WITHIN GROUP of LISTAGG in descending order
SELECT listagg(DISTINCT a, ',') WITHIN GROUP (ORDER BY a DESC) AS l FROM VALUES ('a'), ('b'), ('c') t(a)

-- seconds of a TIME of few digits
SELECT EXTRACT(SECOND FROM CAST(TIME '10:00:05.5' AS TIME(1))) AS s

-- REVERSE of BINARY
SELECT reverse(X'6162') AS b

-- DISTINCT of a map in an aggregate
SELECT count(DISTINCT m) AS n FROM VALUES (map(1, 2, 3, 4)), (map(3, 4, 1, 2)) t(m)

-- MAP_ZIP_WITH of NaN
SELECT map_zip_with(map(double('NaN'), 1), map(double('NaN'), 2), (k, a, b) -> array(a, b)) AS m

-- subquery: ORDER BY and LIMIT beside a condition of the outer row alone
SELECT a, (SELECT y FROM VALUES (1), (3), (2) u(y) WHERE a > 0 ORDER BY y DESC LIMIT 1) AS v FROM VALUES (1), (2) t(a)

-- subquery: scalar with a constant in place of its aggregate
SELECT a, (SELECT count(*) IS NULL FROM VALUES (1) u(x) WHERE x = a) AS n FROM VALUES (1), (2) t(a)

-- index named like a column before it
SELECT 1 AS i, a[i] AS v FROM VALUES (array(10, 20), 0) t(a, i)

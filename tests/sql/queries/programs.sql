SELECT TRANSFORM(x, y) USING 'cat' AS (a INT, b STRING) FROM left_bag

SELECT TRANSFORM(x, y) USING 'cat' FROM left_bag

SELECT TRANSFORM(y) USING 'cat' AS a FROM left_bag WHERE x > 1

SELECT TRANSFORM(*) USING 'cat' AS (a, b) FROM left_bag ORDER BY a, b LIMIT 2

SELECT TRANSFORM(y, max(x), CAST(sum(x) AS STRING)) USING 'cat' AS (a, b, c) FROM left_bag GROUP BY y HAVING max(x) > 1

SELECT TRANSFORM(x, sum(x) OVER w) USING 'cat' AS (a INT, b BIGINT) FROM left_bag WINDOW w AS (PARTITION BY x)

SELECT TRANSFORM(x, y, NULL)
    ROW FORMAT DELIMITED FIELDS TERMINATED BY '@' LINES TERMINATED BY '\n' NULL DEFINED AS 'none'
    USING 'cat' AS (a, b, c)
    ROW FORMAT DELIMITED FIELDS TERMINATED BY '@' LINES TERMINATED BY '\n' NULL DEFINED AS 'none'
FROM left_bag

SELECT TRANSFORM(x, y)
    ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe' WITH SERDEPROPERTIES ('field.delim' = ',')
    USING 'cat' AS (a STRING, b STRING)
    ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe' WITH SERDEPROPERTIES ('field.delim' = ',')
FROM left_bag

FROM (FROM left_bag SELECT TRANSFORM(x, x + 1) USING 'cat' AS (`a` INT, b STRING)) AS t SELECT a + 1 AS c, b ORDER BY c

WITH t AS (SELECT TRANSFORM(x) USING 'tr 1 2' AS (b STRING) FROM left_bag) SELECT t1.b FROM t AS t1 JOIN t AS t2 ON t1.b = t2.b

SELECT TRANSFORM(1, 'a') USING "cat" AS (a INT, b STRING COMMENT 'text')

SELECT count(*) AS n FROM (SELECT TRANSFORM(x) USING 'cat' AS (a) FROM left_bag UNION ALL SELECT y FROM right_bag)

SELECT transform(array(x), e -> e + 1) AS row, x AS fields FROM left_bag

MAP x, y USING 'cat' AS a, b FROM left_bag ORDER BY a

FROM left_bag REDUCE x, y USING 'cat' AS (a INT, b STRING)

WITH t AS (SELECT x FROM left_bag) MAP t.*, x + 1 USING 'cat' AS (a INT, b INT) FROM t WHERE x > 1

SELECT map.a, map(1, 2) AS map FROM (FROM left_bag MAP x USING 'cat' AS (a INT)) AS map

SELECT TRANSFORM(a, b) USING 'cat' AS (c INT, d STRING) FROM (SELECT y AS a, x + 1 AS b FROM left_bag WHERE x > 1)

SELECT TRANSFORM(a) USING 'cat' AS (c INT) FROM (SELECT DISTINCT y AS a FROM left_bag)

SELECT TRANSFORM(a) USING 'cat' AS (c INT) FROM (SELECT y AS a FROM left_bag ORDER BY y LIMIT 1)

SELECT TRANSFORM(l.x, r.x) USING 'cat' AS (c INT, d INT) FROM left_bag AS l JOIN right_bag AS r ON l.x = r.x WHERE r.y <> 'c'

(MAP x, y USING 'cat' AS (a INT, b STRING) FROM left_bag ORDER BY a) LIMIT 2

SELECT m.a, r.y FROM (MAP x USING 'cat' AS (a INT) FROM left_bag) AS m JOIN right_bag AS r ON m.a = r.x

SELECT x FROM left_bag WHERE x IN (REDUCE x USING 'cat' AS (a INT) FROM right_bag) AND EXISTS (MAP 1 USING 'cat')

((MAP x USING 'cat' AS (a INT) FROM left_bag) UNION ALL FROM left_bag REDUCE x USING 'cat' AS (a INT)) ORDER BY a

MAP x USING 'cat' AS (a INT) FROM left_bag UNION MAP x USING 'cat' AS (a INT) FROM right_bag EXCEPT SELECT 1

WITH map AS (MAP x USING 'cat' AS (map INT) FROM left_bag) MAP map USING 'cat' AS (b INT) FROM map

FROM left_bag AS map MAP map.x USING 'cat' AS (a) REDUCE map.y USING 'cat' AS (a)

MAP map(1, x), reduce(array(x), 0, (a, b) -> a + b) USING 'cat' AS (a, b) FROM left_bag |> WHERE b = '1' |> SELECT a

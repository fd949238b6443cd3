SELECT 1 + 2 * 3, (1 + 2) * 3, 7 % 3, 7 / 2, 7 DIV 2, -7 DIV 2

SELECT 10 - 3 - 2, 2 * 3 % 4, - 5 + 3, -(2), +3, - -2

SELECT 5 & 3, 5 | 3, 5 ^ 3, ~5

SELECT 1 << 3, 16 >> 2, -16 >>> 28

SELECT 1 | 2 & 3 ^ 4, 1 + 2 << 3, 7 & 3 = 3 AS z

SELECT 1 = 1, 1 == 1, 1 <> 2, 1 != 2, 1 < 2, 1 <= 2, 2 > 1, 2 >= 1

SELECT NULL <=> NULL, 1 <=> NULL, NOT 1 <=> 1

SELECT x <=> 1, x = 1, NOT x = 1, ! (x = 1) FROM left_bag

SELECT true AND false OR true, NOT true OR true, NOT (true OR true), true AND NOT false

SELECT x BETWEEN 1 AND 2 AND y = 'a' AS z FROM left_bag

SELECT x NOT BETWEEN 1 AND 2 OR y = 'a' AS z FROM left_bag

SELECT x BETWEEN 1 AND 2, x NOT BETWEEN 1 AND 2 FROM left_bag

SELECT x IN (1, 2), x NOT IN (1, 2), x IN (1) FROM left_bag

SELECT y LIKE 'a%', y NOT LIKE 'a%', y LIKE '%' FROM left_bag

SELECT y LIKE 'a/%' ESCAPE '/' AS l FROM left_bag

SELECT y LIKE ANY ('a%', 'b%') AS l, y LIKE ALL ('a%', '%') AS k FROM left_bag

SELECT y NOT LIKE ANY ('a%', 'b%') AS l, y NOT LIKE ALL ('a%', '%') AS k, y LIKE SOME ('c%') AS m FROM left_bag

SELECT y RLIKE '^a' AS r, y REGEXP '^a' AS g, y NOT RLIKE '^a' AS n FROM left_bag

SELECT y ILIKE 'A%' AS i, y NOT ILIKE 'A%' AS n FROM left_bag

SELECT x IS NULL, x IS NOT NULL, x IS DISTINCT FROM 1, x IS NOT DISTINCT FROM 1 FROM left_bag

SELECT has_newsletter IS TRUE, has_newsletter IS NOT TRUE, has_newsletter IS FALSE, has_newsletter IS UNKNOWN, has_newsletter IS NOT UNKNOWN FROM customers

SELECT CASE x WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END FROM left_bag

SELECT CASE WHEN x = 1 THEN 'one' WHEN x = 2 THEN 'two' END FROM left_bag

SELECT CASE WHEN x > 1 THEN x ELSE 0.5 END AS c FROM left_bag

SELECT if(x > 1, 'big', 'small') AS s, nullif(x, 1) AS n, coalesce(x, 0) AS c, nvl(x, 0) AS v, ifnull(x, 9) AS i FROM left_bag

SELECT CAST(x AS STRING), x::BIGINT, x::DECIMAL(5, 2) AS d, '12'::INT + 1 AS i FROM left_bag

SELECT CAST('2024-01-01' AS DATE), CAST(1 AS BOOLEAN), CAST(NULL AS INT), TRY_CAST('x' AS INT)

SELECT 'a' || 'b' || 'c', y || x AS s FROM left_bag

SELECT tags[0] AS t FROM products WHERE size(tags) > 0

SELECT attributes['stock'] AS s FROM products

SELECT attributes['none'] IS NULL AS s, size.width, size['width'] AS w FROM products

SELECT array(1, 2)[1], map('a', 1)['a'], struct(1 AS z).z, named_struct('q', 2).q

SELECT (1, 2), (1, 'a').col2, struct(x, y AS why) AS s FROM left_bag

SELECT (x, y) = (1, 'a') AS same FROM left_bag

SELECT (x, y) IN ((1, 'a'), (2, 'b')) AS found FROM left_bag

SELECT element_at(tags, 1) AS e, size(tags) AS n, cardinality(tags) AS c FROM products

SELECT array_contains(tags, 'blue') AS b FROM products

SELECT extract(YEAR FROM ordered_at) AS y, extract(month FROM ordered_at) AS m, EXTRACT(dow FROM ordered_at) AS d FROM orders

SELECT trim(y), trim(BOTH FROM ' a '), trim(LEADING 'x' FROM 'xxa'), trim(TRAILING 'x' FROM 'axx'), trim('x' FROM 'xax') FROM left_bag

SELECT substring('abc' FROM 2), substring('abc' FROM 2 FOR 1), substring('abc', 2, 1), substr('abc', 2)

SELECT position('b' IN 'abc'), position('b', 'abc'), overlay('abcdef' PLACING 'x' FROM 2 FOR 3)

SELECT upper(y), lower(y), char_length(y), length(y) FROM left_bag

SELECT current_date() = current_date, current_timestamp() IS NOT NULL AS t

SELECT DATE '2024-01-31' + INTERVAL 1 MONTH, TIMESTAMP '2024-01-01 00:00:00' - INTERVAL '1' DAY

SELECT DATE '2024-03-01' - DATE '2024-02-01' AS d, date '2024-01-01' + 3 AS e

SELECT INTERVAL 1 DAY + INTERVAL 2 HOURS, INTERVAL '1' YEAR * 2, - INTERVAL 1 DAY

SELECT x % 2 = 0 AND y IS NOT NULL OR x IS NULL AS z FROM left_bag

SELECT NOT x IN (1, 2) AS a, NOT x BETWEEN 1 AND 2 AS b, NOT y LIKE 'a' AS c, NOT x IS NULL AS d FROM left_bag

SELECT -x, +x, -x + 1, - x * 2 FROM left_bag

SELECT true = (x > 1) AS a, (x > 1) = (y = 'b') AS b FROM left_bag

SELECT x > 1 = true AS c FROM left_bag

SELECT mod(7, 3), pmod(-7, 3), bigint(3) AS b, string(4) AS s, double('2.5') AS d

SELECT x, x + 1 x1, x * 2 AS `x 2`, x "three" FROM left_bag

SELECT greatest(x, 2), least(x, 2) FROM left_bag

SELECT concat_ws('-', 'a', 'b'), concat('a', 'b'), repeat('a', 3), replace('abc', 'b', 'x')

SELECT abs(-1), sign(-2), power(2, 3), sqrt(4), round(2.5), floor(2.5), ceil(2.5)

SELECT date_format(ordered_at, 'yyyy') AS f, year(ordered_at), month(ordered_at), day(ordered_at), hour(ordered_at) FROM orders

SELECT to_date('2024-01-01'), to_timestamp('2024-01-01 00:00:00')

SELECT transform(array(1, 2), v -> v + 1) AS t, filter(array(1, 2), v -> v > 1) AS f, exists(array(1, 2), v -> v > 1) AS e

SELECT aggregate(array(1, 2, 3), 0, (acc, v) -> acc + v) AS total

SELECT transform(array(1, 2), (v, i) -> v * i) AS t

SELECT zip_with(array(1, 2), array(3, 4), (a, b) -> a + b) AS z, map_filter(map('a', 1), (k, v) -> v > 0) AS m

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS p FROM events

SELECT listagg(k, ',') WITHIN GROUP (ORDER BY k) AS l FROM events

SELECT collect_list(k) AS l, collect_set(k) IS NOT NULL AS s FROM events

SELECT count_if(x > 1) AS c, stddev(x) IS NULL AS s, variance(x) > 0 AS v FROM left_bag

SELECT current_user() IS NOT NULL AS u

SELECT y COLLATE UTF8_LCASE = 'A' AS c FROM left_bag

SELECT parse_json('{"a": 1}'):a::INT AS v

SELECT CAST(ARRAY(1, 2) AS ARRAY<STRING>), CAST(MAP('a', 1) AS MAP<STRING, BIGINT>), CAST(STRUCT(1 AS a) AS STRUCT<b: BIGINT>)

SELECT x = ALL_OF FROM (SELECT 1 AS x, 1 AS ALL_OF)

SELECT timestampdiff(DAY, TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-03 00:00:00') AS d, timestampadd(HOUR, 1, TIMESTAMP '2024-01-01 00:00:00') AS t

SELECT date_add(DATE '2024-01-01', 1), datediff(DATE '2024-01-02', DATE '2024-01-01'), date_trunc('MONTH', TIMESTAMP '2024-01-15 00:00:00')

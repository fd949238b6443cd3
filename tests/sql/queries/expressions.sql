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

SELECT 'abc' LIKE ANY ('a%', 'b%') AS l, 'abc' LIKE ALL ('a%', '%c') AS k, 'abc' NOT LIKE ANY ('a%', 'b%') AS n, 'abc' NOT LIKE ALL ('a%', 'b%') AS m, 'abc' NOT LIKE SOME ('c%') AS o

SELECT 'ABC' ILIKE ANY ('a%', 'B%') AS l, y ILIKE ALL ('a%', '%C') AS k, y NOT ILIKE ANY ('a%', 'b%') AS n, y NOT ILIKE ALL ('a%', 'B%') AS m FROM left_bag

SELECT 'abc' LIKE ALL ('a%', CAST(NULL AS STRING)) AS l, 'abc' LIKE ANY ('x' || '%', 'a' '%') AS k, 'abc' LIKE ANY ('a%', NULL) AS n, y LIKE ANY (y, UPPER('a')) AS m, 1 LIKE ANY ('1', '2') AS o FROM left_bag

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

SELECT attributes['stock'] AS s FROM products

SELECT array(1, 2)[1], map('a', 1)['a'], struct(1 AS z).z, named_struct('q', 2).q

SELECT (1, 2), (1, 'a').col2, struct(x, y AS why) AS s FROM left_bag

SELECT (x, y) = (1, 'a') AS same FROM left_bag

SELECT (x, y) IN ((1, 'a'), (2, 'b')) AS found FROM left_bag

SELECT extract(YEAR FROM ordered_at) AS y, extract(month FROM ordered_at) AS m, EXTRACT(dow FROM ordered_at) AS d FROM orders

SELECT trim(y), trim(BOTH FROM ' a '), trim(LEADING 'x' FROM 'xxa'), trim(TRAILING 'x' FROM 'axx'), trim('x' FROM 'xax') FROM left_bag

SELECT substring('abc' FROM 2), substring('abc' FROM 2 FOR 1), substring('abc', 2, 1), substr('abc', 2)

SELECT position('b' IN 'abc'), position('b', 'abc'), overlay('abcdef' PLACING 'x' FROM 2 FOR 3)

SELECT current_date() = current_date, current_timestamp() IS NOT NULL AS t

SELECT DATE '2024-01-31' + INTERVAL 1 MONTH, TIMESTAMP '2024-01-01 00:00:00' - INTERVAL '1' DAY

SELECT DATE '2024-03-01' - DATE '2024-02-01' AS d, date '2024-01-01' + 3 AS e

SELECT INTERVAL 1 DAY + INTERVAL 2 HOURS, INTERVAL '1' YEAR * 2, - INTERVAL 1 DAY

SELECT x % 2 = 0 AND y IS NOT NULL OR x IS NULL AS z FROM left_bag

SELECT NOT x IN (1, 2) AS a, NOT x BETWEEN 1 AND 2 AS b, NOT y LIKE 'a' AS c, NOT x IS NULL AS d FROM left_bag

SELECT -x, +x, -x + 1, - x * 2 FROM left_bag

SELECT true = (x > 1) AS a, (x > 1) = (y = 'b') AS b FROM left_bag

SELECT x > 1 = true AS c FROM left_bag

SELECT CAST(ARRAY(1, 2) AS ARRAY<STRING>), CAST(MAP('a', 1) AS MAP<STRING, BIGINT>), CAST(STRUCT(1 AS a) AS STRUCT<b: BIGINT>)

SELECT x = ALL_OF FROM (SELECT 1 AS x, 1 AS ALL_OF)

SELECT tags[0] AS t, tags[1] AS u FROM products WHERE product = 'pen'

SELECT attributes['none'] IS NULL AS s, attributes['stock'] + 1 AS n, size.width FROM products

SELECT upper(y), lower(y), char_length(y) FROM left_bag

SELECT mod(7, 3), bigint(3) AS b, string(4) AS s, double('2.5') AS d, int('7'), date('2024-01-01') AS day

SELECT nvl2(x, 'some', 'none') AS n, nullif(y, 'a'), nvl(y, '-') FROM left_bag

SELECT array(array(1, 2), array(3))[0][1], map('a', array(5, 6))['a'][1]

SELECT (x & 1) = 1 AS odd, x | 4, x ^ 1, ~x, x << 2, x >> 1, x >>> 1 FROM left_bag

SELECT x DIV 2, -7 DIV 2, 7L DIV 2, x DIV 2 * 2 + x % 2 = x AS whole FROM left_bag

SELECT tiny & small, small | big, tiny ^ tiny, ~tiny, tiny << 1, big >>> 3 FROM readings WHERE n <= 3

SELECT struct(l.*) AS s, struct(*).x FROM left_bag l

SELECT CASE WHEN x = 1 THEN 1 WHEN x = 2 THEN 2.5 ELSE NULL END, CASE WHEN y IS NULL THEN DATE '2024-01-01' END FROM left_bag

SELECT x = 1 OR y = 'b' AND NOT x = 2 OR x IS NULL AS c FROM left_bag

SELECT size['width'], size['box']['depth'], attributes.red, products.attributes.`red` AS again FROM products

SELECT array(size, size).width AS widths, array(size).box.depth AS depths, array(size)['width'][0] AS first FROM products

SELECT * EXCEPT (size.width) FROM products

SELECT products.* EXCEPT (size.box.depth, tags, attributes) FROM products

SELECT x AS a, a + 1, a * a AS b, b + 1 FROM left_bag

SELECT size AS s, s.width + 1, size.box, box.depth FROM products

SELECT (x AS a, y AS b), (x, y AS c) FROM left_bag

SELECT x FROM left_bag LIMIT 1 + 1 OFFSET CAST('1' AS INT)

SELECT CAST(NULL AS STRUCT<a: INT COMMENT 'it''s', b: STRING>) AS s

SELECT struct(1 x, y `a b`, x AS z), (x key, 2 `8`) FROM left_bag

SELECT array(struct(x end), struct(2 end)), max(struct(x value)) OVER () FROM left_bag

SELECT y LIKE ANY (CAST(1 AS STRING), 'a'), y NOT LIKE ALL (CASE WHEN 1 > 2 THEN 'b' ELSE 'a' END, NULL) FROM left_bag

SELECT y LIKE ANY ('a' || '%', CAST(DATE '2024-01-01' AS STRING)), y ILIKE ALL (CAST(1 + 1 AS STRING)) FROM left_bag

SELECT y LIKE ANY (y, 'b'), y NOT ILIKE ALL (upper('a'), y || '%'), y LIKE ALL (1) FROM left_bag

SELECT struct(x) = struct(1), struct(x, y) IN (struct(1, 'a'), struct(2 AS b, 'b' AS a)), struct(x) BETWEEN struct(1) AND struct(2) FROM left_bag

SELECT hex(lpad(unhex('aabb'), 5)), to_varchar(X'53', 'hex'), to_varchar(X'53', 'utf-8'), assert_true(x > 0) FROM left_bag WHERE x > 0

SELECT size(CAST(tags AS ARRAY<STRING>)), CAST(size AS STRUCT<w: INT, b: STRUCT<d: DOUBLE>>).b.d FROM products

SELECT lag(v, 1 + 1) OVER (ORDER BY e), lag(v, -1) OVER (ORDER BY e), lead(v, 2 * 3, 4) OVER (ORDER BY e) FROM events

SELECT mask(k, '*'), mask(k, lowerChar => 'z'), mask('AbC-1', NULL, 'q') FROM events

SELECT +x, +'2.5', + (x + 1), +INTERVAL '1' DAY, + NULL FROM left_bag

SELECT concat(), concat() || 'a', length(concat())

SELECT NULL IS UNKNOWN, NULL IS NOT UNKNOWN, x = 1 IS UNKNOWN FROM left_bag

SELECT to_json(struct(c, x)), to_json(named_struct('a', c)), to_json(array(c)) FROM (SELECT y COLLATE UTF8_LCASE AS c, x FROM left_bag)

SELECT * FROM VALUES (1, CAST(2.5 AS FLOAT), NULL), (CAST(1.5 AS FLOAT), 3L, CAST(4 AS FLOAT)) AS v(a, b, c)

SELECT x, x IN ((SELECT max(x) FROM left_bag)) AS i FROM left_bag

SELECT k, k LIKE ANY ((SELECT 'a%')) AS a, k NOT LIKE ALL ((SELECT 'b%'), 'c') AS n FROM events

SELECT round(level, 2.0) AS a, bround(level, '1') AS b, round(fine, 1.9) AS c FROM readings

SELECT instr(status, 'e', 2) AS a, instr(status, 'e', -1) AS b, instr(status, 'e', 1, 2) AS c FROM orders

SELECT x > 1.1 AS g, 1.5 >= x AS l, x = 2.0 AS e FROM left_bag

SELECT count(*) AS n FROM VALUES (struct(1 AS a, 'x' AS b)), (struct(2, 'y')) AS t(p, q) WHERE p > 1

SELECT 1 !> 2, 1 + 1 !< 1 AS b, NOT 3 !> 2

SELECT TRUE IS UNKNOWN, (FALSE) IS NOT UNKNOWN, NULL IS UNKNOWN, x > 1 IS NOT UNKNOWN FROM left_bag

SELECT transform(array(1, 2), x -> IDENTIFIER('x') + 1), transform(array(5), (IDENTIFIER('i'), j) -> i + j) FROM left_bag

SELECT MAKE_INTERVAL(1, 2, 3, 4, 5, 6, 7.5) AS i, MAKE_INTERVAL(), MAKE_INTERVAL(NULL), TRY_MAKE_INTERVAL(1, 2)

SELECT CAST('1 month 2 days' AS INTERVAL), '3 hours'::INTERVAL, TRY_CAST('x' AS INTERVAL), CAST(NULL AS INTERVAL)

SELECT DATE '2024-01-31' + MAKE_INTERVAL(0, 1, 1), MAKE_INTERVAL(0, 1) + DATE '2024-01-31', DATE '2024-01-31' - MAKE_INTERVAL(1)

SELECT TIMESTAMP '2024-01-31 10:00:00' + i, TIMESTAMP_NTZ '2024-01-31 10:00:00' - i, '2024-01-31' + i FROM VALUES (MAKE_INTERVAL(0, 1)) AS t(i)

SELECT i + i, i - MAKE_INTERVAL(1), i - NULL, -i, +i, i * 2, 2.5 * i, i / 2, TRY_ADD(i, i), TRY_DIVIDE(i, 0) FROM VALUES (MAKE_INTERVAL(0, 1)) AS t(i)

SELECT DISTINCT i, EXTRACT(MONTH FROM i), EXTRACT(SECOND FROM i), i || '', TYPEOF(i) FROM VALUES (MAKE_INTERVAL(0, 1)) AS t(i)

SELECT i, COUNT(*), FIRST(i), COUNT(DISTINCT i) FROM VALUES (MAKE_INTERVAL(0, 1)), (MAKE_INTERVAL(1)) AS t(i) GROUP BY i

SELECT SIZE(MAP(MAKE_INTERVAL(1), 1)), SEQUENCE(DATE '2024-01-01', DATE '2024-04-01', MAKE_INTERVAL(0, 1))

SELECT FROM_JSON('{"a": "1 month 2 days"}', 'a INTERVAL').a AS a, CAST(ARRAY('1 day') AS ARRAY<INTERVAL>)[0] AS e

SELECT DATE '2024-01-01' + MAKE_DT_INTERVAL(1), TIMESTAMP_NTZ '2024-01-01 00:00:00' - MAKE_YM_INTERVAL(1), MAKE_DT_INTERVAL(1) * 2

SELECT STRUCT(), STRUCT() AS r, NAMED_STRUCT() = STRUCT() AS e, STRUCT(STRUCT(), 1) AS n

SELECT a[0] + 1, a[0] - 1, 2 + a[0], i[0] + DATE '2024-01-01', DATE '2024-01-01' - i[0], m[1] - DATE '2024-01-01', n[0][1] + 1 FROM VALUES (ARRAY(DATE '2024-01-01'), ARRAY(MAKE_INTERVAL(1)), MAP(1, DATE '2024-01-01'), ARRAY(ARRAY(1, 2))) AS t(a, i, m, n)

SELECT s AND b, b AND s, b OR s OR n, b AND b AND b AND s, s OR b OR b OR s OR b, n OR b OR s OR b OR TRUE OR s OR b, b AND b OR b AND s AND b AND b OR b OR NOT b FROM VALUES (TRUE, 'true', NULL), (FALSE, 'false', 't') AS t(b, s, n)

SELECT b FROM VALUES (TRUE, 'true'), (FALSE, 'true') AS t(b, s) WHERE s AND b

SELECT 1 > -32768S, 1 !> - 128Y, x + -32768S, -9223372036854775808L <= x, -128Y = -32768S FROM left_bag

SELECT INTERVAL 1 MONTH + TIMESTAMP '2024-01-01 00:00:00' - INTERVAL '1' DAY, INTERVAL 2 HOUR + TIMESTAMP_NTZ '2024-01-01 00:00:00' + INTERVAL '1' DAY

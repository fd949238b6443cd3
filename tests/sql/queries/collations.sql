SELECT x, y COLLATE UTF8_LCASE FROM left_bag

SELECT y COLLATE unicode_ci = 'A', 'A' = y COLLATE system.builtin.unicode_ci, collate(y, 'system.builtin.de') FROM left_bag

SELECT y COLLATE UNICODE_CI || 'x' || y, upper(y COLLATE de), y COLLATE UNICODE_AI_CI IN ('a', 'B') FROM left_bag

SELECT collation(y), collation(y COLLATE sr_cyrl_srb_ci_rtrim), collation('a' || y COLLATE UNICODE) FROM left_bag

SELECT CAST(y AS STRING COLLATE UNICODE_CI), CAST(x AS STRING COLLATE UNICODE), 'A'::STRING COLLATE UTF8_LCASE FROM left_bag

SELECT CAST(array(y) AS ARRAY<STRING COLLATE UTF8_LCASE>), CAST(NULL AS STRING COLLATE UNICODE) FROM left_bag

SELECT CASE WHEN x = 1 THEN y COLLATE UNICODE_CI ELSE 'none' END, coalesce(y COLLATE UNICODE_CI, 'none') FROM left_bag

SELECT y COLLATE UTF8_LCASE LIKE 'A%', replace(y COLLATE UTF8_LCASE, 'A', 'b'), trim(BOTH 'A' FROM y COLLATE UTF8_LCASE) FROM left_bag

SELECT array(y COLLATE UNICODE, 'b'), named_struct('a', y COLLATE UNICODE), map('k' COLLATE UNICODE, y) FROM left_bag

SELECT max(y COLLATE UNICODE_CI), array_agg(y COLLATE UNICODE), listagg(y COLLATE UTF8_LCASE, CAST(',' AS STRING COLLATE UTF8_LCASE)) FROM left_bag

SELECT name, count(*) AS n FROM (SELECT upper(y) COLLATE UTF8_LCASE AS name FROM left_bag) GROUP BY name ORDER BY name

SELECT DISTINCT city FROM (SELECT city COLLATE UNICODE_CI AS city FROM customers)

SELECT l.x, r.x FROM left_bag AS l JOIN right_bag AS r ON l.y COLLATE UTF8_LCASE = upper(r.y)

SELECT y COLLATE UTF8_LCASE AS y FROM left_bag UNION SELECT upper(y) COLLATE UTF8_LCASE FROM right_bag

SELECT lag(y COLLATE UNICODE, 1, 'none') OVER (ORDER BY x) AS before FROM left_bag

SELECT transform(array(y COLLATE UNICODE), e -> e || 'b') AS t FROM left_bag

SELECT * FROM left_bag WHERE y COLLATE UTF8_LCASE = 'A'

SELECT y FROM left_bag ORDER BY y COLLATE UNICODE_CI DESC, x

SELECT (SELECT max(y) COLLATE UTF8_LCASE FROM right_bag) = 'C' AS c

SELECT name, accent_sensitivity FROM collations() WHERE name IN ('UNICODE', 'UTF8_LCASE')

SELECT e FROM (SELECT array('a', 'B') AS a) LATERAL VIEW explode(CAST(a AS ARRAY<STRING COLLATE UTF8_LCASE>)) AS e WHERE e = 'b'

SELECT y COLLATE UTF8_LCASE IN (SELECT upper(y) FROM right_bag) FROM left_bag

SELECT * FROM left_bag WHERE (y COLLATE UNICODE_CI, x) IN (SELECT y COLLATE UNICODE_CI, x FROM right_bag)

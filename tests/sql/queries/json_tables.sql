SELECT * FROM JSON_TABLE('[{"a": 1}, {"a": 2}]', '$[*]' COLUMNS (a INT PATH '$.a'))

SELECT * FROM JSON_TABLE('[{"a": 1, "b": {"c": "x"}}, {"b": []}]', '$[*]' COLUMNS (n FOR ORDINALITY, a INT, c STRING PATH '$.b.c', b STRING, has BOOLEAN EXISTS PATH '$.b.c'))

SELECT t.n, t.value FROM json_table('{"x": [1, null, 3]}', '$.x[*]' COLUMNS (n FOR ORDINALITY, v DOUBLE PATH '$')) AS t(n, value)

SELECT x, t.* FROM left_bag, LATERAL JSON_TABLE(concat('[', x, ', ', x + 1, ']'), '$[*]' COLUMNS (v BIGINT PATH '$', o FOR ORDINALITY)) t

SELECT l.x, v FROM left_bag AS l CROSS JOIN LATERAL JSON_TABLE(to_json(array(l.y, 'b')), '$[*]' COLUMNS (v STRING PATH '$')) AS x WHERE v <> 'a'

SELECT x, v, o FROM left_bag LEFT JOIN LATERAL JSON_TABLE(if(x = 1, NULL, concat('[', x, ']')), '$[*]' COLUMNS (v INT PATH '$', o FOR ORDINALITY)) AS t ON TRUE

SELECT x, v FROM left_bag LEFT JOIN LATERAL JSON_TABLE('[1, 2]', '$[*]' COLUMNS (v INT PATH '$')) AS t ON t.v = x

SELECT x, w FROM left_bag JOIN LATERAL JSON_TABLE(concat('{"a": ', x, '}'), '$' COLUMNS (a INT)) AS t(w) ON w > 1

SELECT x, a FROM left_bag JOIN JSON_TABLE('[1, 3]', '$[*]' COLUMNS (a INT PATH '$')) AS t ON x = a

SELECT * FROM left_bag FULL JOIN JSON_TABLE('[{"x": 1}, {"x": 9}]', '$[*]' COLUMNS (x INT, z STRING)) USING (x)

SELECT x FROM left_bag AS l WHERE EXISTS (SELECT * FROM JSON_TABLE(concat('[', l.x, ']'), '$[*]' COLUMNS (v INT PATH '$')) WHERE v = 2)

SELECT x, (SELECT sum(v) FROM JSON_TABLE(concat('[', l.x, ', 10]'), '$[*]' COLUMNS (v INT PATH '$'))) AS s FROM left_bag AS l

SELECT x, s FROM left_bag AS l, LATERAL (SELECT count(*) AS s FROM JSON_TABLE(concat('[', l.x, ', 10]'), '$[*]' COLUMNS (v INT PATH '$')))

FROM left_bag |> JOIN LATERAL JSON_TABLE(concat('[', x, ']'), '$[*]' COLUMNS (v INT PATH '$')) AS t |> WHERE v > 1 |> SELECT x, v

SELECT * FROM (JSON_TABLE('{"a": 1}', '$' COLUMNS (a INT)) AS t CROSS JOIN JSON_TABLE('{"b": 2}', '$' COLUMNS (b INT)) AS u)

WITH j AS (SELECT '{"k": [{"v": 1}, {"v": 2}]}' AS doc) SELECT sum(v) AS s FROM j, LATERAL JSON_TABLE(doc, '$.k[*]' COLUMNS (v INT)) AS t

SELECT * FROM JSON_TABLE('{"a": "1", "d": "2024-02-29", "t": "2024-02-29 10:11:12"}', '$' COLUMNS (a TINYINT, b SMALLINT PATH '$.a', c BIGINT PATH '$.a', e FLOAT PATH '$.a', f DECIMAL(5, 2) PATH '$.a', g DECIMAL PATH '$.a', h BINARY PATH '$.a', i BOOLEAN PATH '$.a', d DATE, t TIMESTAMP_NTZ, l TIMESTAMP_LTZ PATH '$.t', v VARCHAR(2) PATH '$.a', w CHAR(3) PATH '$.a', s STRING COLLATE UTF8_LCASE PATH '$.a'))

SELECT * FROM JSON_TABLE('{"i": "1 02:03:04", "y": "1-2"}', '$' COLUMNS (i INTERVAL DAY TO SECOND, y INTERVAL YEAR TO MONTH, h INTERVAL HOUR PATH '$.none', m INTERVAL MONTH PATH '$.none'))

SELECT a, CAST(v AS STRING) AS v FROM JSON_TABLE('{"a": {"b": [1]}}', '$' COLUMNS (a STRING, v VARIANT PATH '$.a'))

SELECT * FROM JSON_TABLE('{"a": null}', '$' COLUMNS (a INT EXISTS, b STRING EXISTS PATH '$.a', c BIGINT EXISTS PATH '$.z', d DOUBLE EXISTS PATH '$.a', e DECIMAL(5, 1) EXISTS PATH '$.a', f VARCHAR(4) EXISTS PATH '$.a'))

SELECT CAST(v AS STRING) AS v FROM JSON_TABLE('{"a": null}', '$' COLUMNS (v VARIANT EXISTS PATH '$.a'))

SELECT * FROM JSON_TABLE('{"a": 1', '$' COLUMNS (a INT) NULL ON ERROR)

SELECT * FROM JSON_TABLE('{"a": 1}', '$' COLUMNS (a INT) ERROR ON ERROR)

SELECT * FROM JSON_TABLE('{}', '$.x[*]' COLUMNS (a INT, o FOR ORDINALITY) error on error)

SELECT * FROM JSON_TABLE(NULL, '$' COLUMNS (a INT))

SELECT * FROM JSON_TABLE(PARSE_JSON('{"a": 1}'), '$' COLUMNS (a INT))

SELECT * FROM JSON_TABLE(CAST('{"a": 1}' AS BINARY), '$' COLUMNS (a INT))

SELECT * FROM JSON_TABLE(12, '$' COLUMNS (a STRING PATH '$', o FOR ORDINALITY))

SELECT * FROM JSON_TABLE('{"a": "X"}' COLLATE UTF8_LCASE, '$' COLUMNS (a STRING))

SELECT * FROM JSON_TABLE((SELECT concat('{"a": ', max(x), '}') FROM left_bag), '$' COLUMNS (a INT))

SELECT * FROM JSON_TABLE('{"a b": 1, "c.d": 2, "e]f": 3, "g[0]": 4}', '$' COLUMNS (`a b` INT, `c.d` INT, `e]f` INT, x INT PATH "$['g[0]']", y INT PATH r'$.a b', z INT PATH '$.' 'none'))

SELECT exists, path, columns, nested FROM JSON_TABLE('{"path": 1}', '$' COLUMNS (exists INT EXISTS PATH '$.path', path INT, nested INT, columns INT PATH '$.path'))

SELECT * FROM JSON_TABLE('{"a": [[1, 2], [3]]}', '$.a[0][*]' COLUMNS (v INT PATH '$'))

SELECT * FROM JSON_TABLE('[[1, 2], [3, 4]]', '$[*]' COLUMNS (a INT PATH '$[0]', b INT PATH '$[1]'))

SELECT A, b FROM JSON_TABLE('{"a": 1, "B": 2}', '$' COLUMNS (a INT, B INT))

SELECT g, collect_list(v) AS vs FROM VALUES (1, '[1, 2]'), (2, '[]'), (1, '[3]') AS d(g, j) JOIN LATERAL JSON_TABLE(j, '$[*]' COLUMNS (v INT PATH '$')) AS t GROUP BY g

SELECT a FROM JSON_TABLE('[1, 2]', '$[*]' COLUMNS (a INT PATH '$')) UNION ALL SELECT a FROM JSON_TABLE('[3]', '$[*]' COLUMNS (a INT PATH '$'))

SELECT a, lead(a) OVER (ORDER BY n) AS b FROM JSON_TABLE('[5, 4, 3]', '$[*]' COLUMNS (n FOR ORDINALITY, a INT PATH '$'))

SELECT p.k, c.v FROM JSON_TABLE('[{"k": "x", "vs": [1, 2]}, {"k": "y"}]', '$[*]' COLUMNS (k STRING, vs STRING)) AS p LEFT JOIN LATERAL JSON_TABLE(p.vs, '$[*]' COLUMNS (v INT PATH '$')) AS c ON TRUE

SELECT struct(1 columns) AS s, 'a' columns, 'b' path

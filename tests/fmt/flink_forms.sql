select array['a'], row(1, 2), json_object(key 'a' value 1 null on null), json_value(j, '$.a' returning int default 0 on error), cast(r as row<a int, b varchar(3)>) from t, lateral table(f(a)) as x(y) fetch first 5 rows only
==== becomes, FLINK
SELECT
    array['a'],
    row(1, 2),
    json_object(KEY 'a' VALUE 1 NULL ON NULL),
    json_value(j, '$.a' RETURNING INT DEFAULT 0 ON ERROR),
    CAST(r AS ROW<a INT, b VARCHAR(3)>)
FROM t, LATERAL TABLE(f(a)) AS x(y)
FETCH FIRST 5 ROWS ONLY

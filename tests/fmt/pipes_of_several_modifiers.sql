table t |> limit 1 offset 1; from t |> order by x desc, y limit 3 |> distribute by x sort by y |> select x; from t |> order by extraordinarily_long_name_of_a_column desc, another_extraordinarily_long_name asc limit 3 offset 2
==== becomes
TABLE t
|> LIMIT 1 OFFSET 1;

FROM t
|> ORDER BY x DESC, y LIMIT 3
|> DISTRIBUTE BY x SORT BY y
|> SELECT x;

FROM t
|> ORDER BY extraordinarily_long_name_of_a_column DESC, another_extraordinarily_long_name ASC
    LIMIT 3
    OFFSET 2

from t |> select a, count(*) over w as n group by a window w as (order by a) |> select first_column, second_column, count(*) group by first_column, second_column
==== becomes, width 50
FROM t
|> SELECT a, count(*) OVER w AS n
    GROUP BY a
    WINDOW w AS (ORDER BY a)
|> SELECT first_column, second_column, count(*)
    GROUP BY first_column, second_column

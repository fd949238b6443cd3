from t |> where a>1 |> extend a+1 as b |> set a=2 |> drop c |> select a, b |> aggregate sum(a) as s group by b |> join u on b = c |> union all (select 1, 2) |> order by s |> limit 3 |> as x
==== becomes
FROM t
|> WHERE a > 1
|> EXTEND a + 1 AS b
|> SET a = 2
|> DROP c
|> SELECT a, b
|> AGGREGATE sum(a) AS s GROUP BY b
|> JOIN u ON b = c
|> UNION ALL (
    SELECT 1, 2
)
|> ORDER BY s
|> LIMIT 3
|> AS x

from t |> aggregate sum(first_column) as first_sum group by second_column |> join another_table as u on first_sum = other_column |> where first_sum > 10 and second_column < 20
==== becomes, width 50
FROM t
|> AGGREGATE sum(first_column) AS first_sum
    GROUP BY second_column
|> JOIN another_table AS u
    ON first_sum = other_column
|> WHERE first_sum > 10 AND second_column < 20

select * from t where first_column + second_column * third_column - 4 > fifth_column and x
==== becomes, width 40
SELECT *
FROM t
WHERE first_column
            + second_column * third_column
            - 4
        > fifth_column
    AND x

select first_column, second_column, third_column from t
==== becomes, width 40
SELECT
    first_column,
    second_column,
    third_column
FROM t

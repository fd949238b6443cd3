select coalesce(first_column, second_column) as c from t
==== becomes, width 30
SELECT
    coalesce(
        first_column,
        second_column
    ) AS c
FROM t

select * from t where (a = 1 or b = 2) and (first_column = second_column or third_column = 4)
==== becomes, width 40
SELECT *
FROM t
WHERE (a = 1 OR b = 2)
    AND (
        first_column = second_column
        OR third_column = 4
    )

select case when first_condition = 1 then second_column + third_column else null end from t
==== becomes, width 40
SELECT
    CASE
        WHEN first_condition = 1
            THEN second_column + third_column
        ELSE NULL
    END
FROM t

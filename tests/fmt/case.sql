select case when a then 1 else 2 end, case a when 1 then 'one' when 2 then 'two' when 3 then 'three' else 'many' end as x from t
==== becomes, width 60
SELECT
    CASE WHEN a THEN 1 ELSE 2 END,
    CASE a
        WHEN 1 THEN 'one'
        WHEN 2 THEN 'two'
        WHEN 3 THEN 'three'
        ELSE 'many'
    END AS x
FROM t

select * from t where a=1 and b<>2 or not c is null and d between 1 and 2 and e like 'x%' escape '/'
==== becomes, width 60
SELECT *
FROM t
WHERE a = 1
    AND b <> 2
    OR NOT c IS NULL
    AND d BETWEEN 1 AND 2
    AND e LIKE 'x%' ESCAPE '/'

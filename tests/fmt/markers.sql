select :name, ? from t where a = :other
==== becomes
SELECT :name, ?
FROM t
WHERE a = :other

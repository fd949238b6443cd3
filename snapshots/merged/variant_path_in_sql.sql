WITH `values_computed` AS (
    SELECT PARSE_JSON('{"a":{"b":[1,2]}}') AS `v`
)
SELECT
    CAST(VARIANT_GET(`v`, '$.a.b[0]') AS INT) AS `first`,
    CAST(VARIANT_GET(VARIANT_GET(`v`, '$[\'a\']'), '$.b[1]') AS INT) AS `b`
FROM `values_computed`

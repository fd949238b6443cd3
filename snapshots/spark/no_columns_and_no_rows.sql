SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM (
        SELECT CAST(NULL AS INT) AS `value`
        WHERE FALSE
    )
)

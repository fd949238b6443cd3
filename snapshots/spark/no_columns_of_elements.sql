(
    SELECT *
    FROM (
        SELECT `s`.*
        FROM (
            SELECT NAMED_STRUCT() AS `s`
            FROM (
                SELECT `value`
                FROM VALUES
                    (1),
                    (1),
                    (1)
                AS `values`(`value`)
            )
        )
    )
    LIMIT 2
) UNION ALL (
    SELECT *
)

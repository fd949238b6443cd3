result = (
    env.sql_query(
        """SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM VALUES
        (1),
        (1),
        (1)
    AS `values`(`value`)
)""",
    )
    .fetch(2)
    .union_all(env.from_elements([()], []))
)

SELECT `c0`, `c1`
FROM (
    SELECT `j`, `c0`, `c1`
    FROM (
        SELECT `j`
        FROM VALUES
            ('{"a": 1, "b": {"c": 2}}'),
            ('{}'),
            (NULL)
        AS `values`(`j`)
    )
    INNER JOIN LATERAL JSON_TUPLE(`j`, 'a', 'b') AS `lateral`(`c0`, `c1`)
)

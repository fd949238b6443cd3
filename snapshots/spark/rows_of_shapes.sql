(
    SELECT `id`, `shape`
    FROM VALUES
        (1, CAST(ST_GEOMFROMWKB(X'0101000000000000000000f03f0000000000000040') AS GEOMETRY(ANY))),
        (2, NULL)
    AS `values`(`id`, `shape`)
) UNION ALL (
    SELECT CAST(`id` AS INT) AS `id`, `shape`
    FROM (
        SELECT `id`, `shape`
        FROM VALUES
            (3, ST_GEOMFROMWKB(X'010100000000000000000008400000000000001040', 3857))
        AS `values`(`id`, `shape`)
    )
)

SELECT `i`, `s`, `d`, `m`, `b`, `y`
FROM (VALUES
    (1, 'a''b', 1.5E0, 1.20, TRUE, X'01'),
    (
        CAST(NULL AS INT),
        CAST(NULL AS STRING),
        CAST(NULL AS DOUBLE),
        CAST(NULL AS DECIMAL(3, 2)),
        CAST(NULL AS BOOLEAN),
        CAST(NULL AS BYTES)
    )
) AS `values`(`i`, `s`, `d`, `m`, `b`, `y`)

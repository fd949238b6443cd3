SELECT `a`, `m`, `r`
FROM VALUES
    (ARRAY(1, CAST(NULL AS INT)), MAP('k', 1.5D), NAMED_STRUCT('n', 1, 't', 'x')),
    (
        CAST(ARRAY() AS ARRAY<INT>),
        CAST(MAP() AS MAP<STRING, DOUBLE>),
        NAMED_STRUCT('n', CAST(NULL AS INT), 't', CAST(NULL AS STRING))
    ),
    (NULL, NULL, NULL)
AS `values`(`a`, `m`, `r`)

SELECT `i`, `s`, `d`, `m`, `b`, `y`
FROM (VALUES
    (1, 'a''b', 1.5E0, 1.20, TRUE, X'01'),
    (NULL, NULL, NULL, NULL, NULL, NULL)
) AS `values`(`i`, `s`, `d`, `m`, `b`, `y`)

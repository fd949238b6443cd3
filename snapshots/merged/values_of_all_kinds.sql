SELECT *
FROM VALUES
    (1, 'a\'b', 1.5D, 1.20, TRUE, X'01'),
    (NULL, NULL, NULL, NULL, NULL, NULL)
AS `values`(`i`, `s`, `d`, `m`, `b`, `y`)

SELECT `n`, `a`, `c`, `b`, `has_a`
FROM JSON_TABLE(
    '[{"a": 1, "b": {"c": "x"}}, {"a": null}, {"b": {}}]',
    '$[*]' COLUMNS (
        `n` FOR ORDINALITY,
        `a` INT,
        `c` STRING PATH '$.b.c',
        `b` STRING,
        `has_a` BOOLEAN EXISTS PATH '$.a'
    )
) AS `lateral`(`n`, `a`, `c`, `b`, `has_a`)

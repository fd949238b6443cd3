result = env.sql_query(
    'SELECT `n`, `a`, `c`, `b`, `has_a`\nFROM JSON_TABLE(\n    \'[{"a": 1, "b": {"c": "x"}}, {"a": null}, {"b": {}}]\',\n    \'$[*]\' COLUMNS (\n        `n` FOR ORDINALITY,\n        `a` INT,\n        `c` STRING PATH \'$.b.c\',\n        `b` STRING,\n        `has_a` BOOLEAN EXISTS PATH \'$.a\'\n    )\n) AS `lateral`(`n`, `a`, `c`, `b`, `has_a`)',
)

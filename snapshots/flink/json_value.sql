SELECT
    `id`,
    JSON_VALUE(`j``s`, '$.user.name') AS `name`,
    JSON_VALUE(`j``s`, '$.user.name' DEFAULT 'nobody' ON ERROR) AS `or_nobody`,
    JSON_VALUE(`j``s`, '$.total' RETURNING INT) AS `total`,
    JSON_VALUE(`j``s`, '$[''total'']' RETURNING DOUBLE) AS `precise`
FROM (
    SELECT `id`, `j``s`
    FROM (VALUES
        (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
        (2, '{"user": {"name": null}, "total": "12"}'),
        (3, '[1, 2]'),
        (4, 'no JSON'),
        (5, CAST(NULL AS STRING))
    ) AS `values`(`id`, `j``s`)
)

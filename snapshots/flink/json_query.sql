SELECT
    `id`,
    JSON_QUERY(`j``s`, '$.user') AS `user`,
    JSON_QUERY(`j``s`, '$.user.tags' EMPTY ARRAY ON ERROR) AS `tags`,
    JSON_QUERY(`j``s`, '$.user.tags[0]' WITH CONDITIONAL ARRAY WRAPPER) AS `first`,
    JSON_QUERY(`j``s`, '$[1]' WITH UNCONDITIONAL ARRAY WRAPPER) AS `second`
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

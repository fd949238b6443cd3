SELECT
    `id`,
    JSON_QUERY(`j``s`, 'lax $.user.tags[*]') AS `tags`,
    JSON_QUERY(`j``s`, '$.user.tags[*]' WITH UNCONDITIONAL ARRAY WRAPPER) AS `wrapped`,
    JSON_QUERY(`j``s`, '$.user.tags' RETURNING ARRAY<STRING>) AS `texts`,
    JSON_QUERY(`j``s`, '$[-1]' WITH CONDITIONAL ARRAY WRAPPER) AS `last`,
    JSON_VALUE(`j``s`, '$.user.tags[-1]') AS `tag`,
    JSON_EXISTS(`j``s`, '$.user.tags[*]') AS `has_tags`
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

SELECT
    `id`,
    JSON_EXISTS(`j``s`, '$[0]') AS `array`,
    JSON_EXISTS(`j``s`, '$.user' UNKNOWN ON ERROR) AS `user`,
    JSON_EXISTS(`j``s`, '$.user' TRUE ON ERROR) AS `always`
FROM (
    SELECT `id`, `j``s`
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
    WHERE JSON_EXISTS(`j``s`, '$.user.name') OR `id` > 2
)

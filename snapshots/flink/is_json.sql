SELECT
    `id`,
    `j``s` IS JSON AS `json`,
    `j``s` IS JSON OBJECT AS `object`,
    `j``s` IS JSON ARRAY AS `array`,
    NOT `j``s` IS JSON SCALAR AS `not_scalar`
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

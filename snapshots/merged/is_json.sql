SELECT
    `id`,
    TRY_PARSE_JSON(`j``s`) IS NOT NULL AS `json`,
    COALESCE(SCHEMA_OF_VARIANT(TRY_PARSE_JSON(`j``s`)) LIKE 'OBJECT<%', FALSE) AS `object`,
    COALESCE(SCHEMA_OF_VARIANT(TRY_PARSE_JSON(`j``s`)) LIKE 'ARRAY<%', FALSE) AS `array`,
    NOT COALESCE(SCHEMA_OF_VARIANT(TRY_PARSE_JSON(`j``s`)) NOT LIKE '%<%', FALSE) AS `not_scalar`
FROM VALUES
    (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
    (2, '{"user": {"name": null}, "total": "12"}'),
    (3, '[1, 2]'),
    (4, 'no JSON'),
    (5, NULL)
AS `values`(`id`, `j``s`)

SELECT
    `id`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.name')) NOT LIKE '%<%' THEN CAST(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.name') AS STRING)
    END AS `name`,
    CASE
        WHEN `j``s` IS NOT NULL THEN COALESCE(
            CASE
                WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.name')) NOT LIKE '%<%' THEN CAST(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.name') AS STRING)
            END,
            'nobody'
        )
    END AS `or_nobody`,
    TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.total', 'INT') AS `total`,
    TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$[\'total\']', 'DOUBLE') AS `precise`
FROM (
    SELECT `id`, `j``s`
    FROM VALUES
        (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
        (2, '{"user": {"name": null}, "total": "12"}'),
        (3, '[1, 2]'),
        (4, 'no JSON'),
        (5, NULL)
    AS `values`(`id`, `j``s`)
)

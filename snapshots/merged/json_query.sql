SELECT
    `id`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user')) LIKE '%<%' THEN TO_JSON(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user'))
    END AS `user`,
    CASE
        WHEN `j``s` IS NOT NULL THEN COALESCE(
            CASE
                WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags')) LIKE '%<%' THEN TO_JSON(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags'))
            END,
            '[]'
        )
    END AS `tags`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags[0]')) LIKE 'ARRAY<%' THEN TO_JSON(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags[0]'))
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags[0]')) <> 'VOID' THEN CONCAT(
            '[',
            TO_JSON(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags[0]')),
            ']'
        )
    END AS `first`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$[1]')) <> 'VOID' THEN CONCAT(
            '[',
            TO_JSON(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$[1]')),
            ']'
        )
    END AS `second`
FROM VALUES
    (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
    (2, '{"user": {"name": null}, "total": "12"}'),
    (3, '[1, 2]'),
    (4, 'no JSON'),
    (5, NULL)
AS `values`(`id`, `j``s`)

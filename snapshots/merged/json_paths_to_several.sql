SELECT
    `id`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$')) <> 'VOID' THEN TO_JSON(COALESCE(
            TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'ARRAY<VARIANT>'),
            MAP_VALUES(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'MAP<STRING, VARIANT>')),
            ARRAY()
        ))
    END AS `tags`,
    CASE
        WHEN VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags') IS NOT NULL THEN CONCAT(
            '[',
            TO_JSON(COALESCE(
                TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'ARRAY<VARIANT>'),
                MAP_VALUES(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'MAP<STRING, VARIANT>')),
                ARRAY()
            )),
            ']'
        )
    END AS `wrapped`,
    TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'ARRAY<STRING>') AS `texts`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(
            TRY_ELEMENT_AT(REVERSE(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$', 'ARRAY<VARIANT>')), 1),
            '$'
        )) LIKE 'ARRAY<%' THEN TO_JSON(VARIANT_GET(
            TRY_ELEMENT_AT(REVERSE(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$', 'ARRAY<VARIANT>')), 1),
            '$'
        ))
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(
            TRY_ELEMENT_AT(REVERSE(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$', 'ARRAY<VARIANT>')), 1),
            '$'
        )) <> 'VOID' THEN CONCAT(
            '[',
            TO_JSON(VARIANT_GET(
                TRY_ELEMENT_AT(REVERSE(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$', 'ARRAY<VARIANT>')), 1),
                '$'
            )),
            ']'
        )
    END AS `last`,
    CASE
        WHEN SCHEMA_OF_VARIANT(VARIANT_GET(
            TRY_ELEMENT_AT(
                REVERSE(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'ARRAY<VARIANT>')),
                1
            ),
            '$'
        )) NOT LIKE '%<%' THEN CAST(VARIANT_GET(
            TRY_ELEMENT_AT(
                REVERSE(TRY_VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags', 'ARRAY<VARIANT>')),
                1
            ),
            '$'
        ) AS STRING)
    END AS `tag`,
    CASE
        WHEN `j``s` IS NOT NULL THEN COALESCE(
            CASE WHEN VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.tags') IS NOT NULL THEN TRUE END,
            FALSE
        )
    END AS `has_tags`
FROM VALUES
    (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
    (2, '{"user": {"name": null}, "total": "12"}'),
    (3, '[1, 2]'),
    (4, 'no JSON'),
    (5, NULL)
AS `values`(`id`, `j``s`)

SELECT
    `id`,
    CASE
        WHEN `j``s` IS NOT NULL THEN COALESCE(
            CASE WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$[0]')) <> 'VOID' THEN TRUE END,
            FALSE
        )
    END AS `array`,
    CASE WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user')) <> 'VOID' THEN TRUE END AS `user`,
    CASE
        WHEN `j``s` IS NOT NULL THEN COALESCE(
            CASE
                WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user')) <> 'VOID' THEN TRUE
            END,
            TRUE
        )
    END AS `always`
FROM VALUES
    (1, '{"user": {"name": "Ada", "tags": ["a", "b"]}, "total": 7}'),
    (2, '{"user": {"name": null}, "total": "12"}'),
    (3, '[1, 2]'),
    (4, 'no JSON'),
    (5, NULL)
AS `values`(`id`, `j``s`)
WHERE CASE
    WHEN `j``s` IS NOT NULL THEN COALESCE(
        CASE
            WHEN SCHEMA_OF_VARIANT(VARIANT_GET(TRY_PARSE_JSON(`j``s`), '$.user.name')) <> 'VOID' THEN TRUE
        END,
        FALSE
    )
END
    OR `id` > 2

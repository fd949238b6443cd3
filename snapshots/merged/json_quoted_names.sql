SELECT
    CONCAT(
        '"',
        ARRAY_JOIN(
            TRANSFORM(
                SPLIT(
                    REPLACE(
                        REPLACE(
                            REPLACE(
                                REPLACE(
                                    REPLACE(REGEXP_REPLACE(`name`, '(["\\\\/])', '\\\\$1'), '\u0008', '\\b'),
                                    '\u000c',
                                    '\\f'
                                ),
                                '\n',
                                '\\n'
                            ),
                            '\r',
                            '\\r'
                        ),
                        '\t',
                        '\\t'
                    ),
                    ''
                ),
                `character` -> CASE
                    WHEN ASCII(`character`) > 127 THEN REGEXP_REPLACE(
                        LOWER(HEX(ENCODE(`character`, 'UTF-16BE'))),
                        '(....)',
                        '\\\\u$1'
                    )
                    ELSE `character`
                END
            ),
            ''
        ),
        '"'
    ) AS `name`,
    COALESCE(
        CASE
            WHEN SCHEMA_OF_VARIANT(TRY_PARSE_JSON(CONCAT(
                '"',
                ARRAY_JOIN(
                    TRANSFORM(
                        SPLIT(
                            REPLACE(
                                REPLACE(
                                    REPLACE(
                                        REPLACE(
                                            REPLACE(
                                                REGEXP_REPLACE(
                                                    CONCAT(`street`, '/é\n'),
                                                    '(["\\\\/])',
                                                    '\\\\$1'
                                                ),
                                                '\u0008',
                                                '\\b'
                                            ),
                                            '\u000c',
                                            '\\f'
                                        ),
                                        '\n',
                                        '\\n'
                                    ),
                                    '\r',
                                    '\\r'
                                ),
                                '\t',
                                '\\t'
                            ),
                            ''
                        ),
                        `character` -> CASE
                            WHEN ASCII(`character`) > 127 THEN REGEXP_REPLACE(
                                LOWER(HEX(ENCODE(`character`, 'UTF-16BE'))),
                                '(....)',
                                '\\\\u$1'
                            )
                            ELSE `character`
                        END
                    ),
                    ''
                ),
                '"'
            ))) = 'STRING' THEN CAST(TRY_PARSE_JSON(CONCAT(
                '"',
                ARRAY_JOIN(
                    TRANSFORM(
                        SPLIT(
                            REPLACE(
                                REPLACE(
                                    REPLACE(
                                        REPLACE(
                                            REPLACE(
                                                REGEXP_REPLACE(
                                                    CONCAT(`street`, '/é\n'),
                                                    '(["\\\\/])',
                                                    '\\\\$1'
                                                ),
                                                '\u0008',
                                                '\\b'
                                            ),
                                            '\u000c',
                                            '\\f'
                                        ),
                                        '\n',
                                        '\\n'
                                    ),
                                    '\r',
                                    '\\r'
                                ),
                                '\t',
                                '\\t'
                            ),
                            ''
                        ),
                        `character` -> CASE
                            WHEN ASCII(`character`) > 127 THEN REGEXP_REPLACE(
                                LOWER(HEX(ENCODE(`character`, 'UTF-16BE'))),
                                '(....)',
                                '\\\\u$1'
                            )
                            ELSE `character`
                        END
                    ),
                    ''
                ),
                '"'
            )) AS STRING)
        END,
        CONCAT(
            '"',
            ARRAY_JOIN(
                TRANSFORM(
                    SPLIT(
                        REPLACE(
                            REPLACE(
                                REPLACE(
                                    REPLACE(
                                        REPLACE(
                                            REGEXP_REPLACE(CONCAT(`street`, '/é\n'), '(["\\\\/])', '\\\\$1'),
                                            '\u0008',
                                            '\\b'
                                        ),
                                        '\u000c',
                                        '\\f'
                                    ),
                                    '\n',
                                    '\\n'
                                ),
                                '\r',
                                '\\r'
                            ),
                            '\t',
                            '\\t'
                        ),
                        ''
                    ),
                    `character` -> CASE
                        WHEN ASCII(`character`) > 127 THEN REGEXP_REPLACE(
                            LOWER(HEX(ENCODE(`character`, 'UTF-16BE'))),
                            '(....)',
                            '\\\\u$1'
                        )
                        ELSE `character`
                    END
                ),
                ''
            ),
            '"'
        )
    ) AS ````
FROM `spark_catalog`.`programs`.`customers`

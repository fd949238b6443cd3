SELECT
    TRANSFORM(
        ARRAY(SORT_ARRAY(ARRAY_AGG(`a`))),
        `sorted` -> TRANSFORM(
            ARRAY(ARRAY_COMPACT(TRANSFORM(
                `sorted`,
                (`value`, `at`) -> CASE WHEN `value` IS DISTINCT FROM GET(`sorted`, `at` - 1) THEN `at` END
            ))),
            `places` -> MAP_FROM_ENTRIES(TRANSFORM(
                `places`,
                (`first`, `at`) -> NAMED_STRUCT(
                    'value',
                    `sorted`[`first`],
                    'count',
                    COALESCE(GET(`places`, `at` + 1), CARDINALITY(`sorted`)) - `first`
                )
            ))
        )[0]
    )[0] AS `EXPR$0`,
    TRANSFORM(
        ARRAY(SORT_ARRAY(ARRAY_AGG(`b`))),
        `sorted` -> TRANSFORM(
            ARRAY(ARRAY_COMPACT(TRANSFORM(
                `sorted`,
                (`value`, `at`) -> CASE WHEN `value` IS DISTINCT FROM GET(`sorted`, `at` - 1) THEN `at` END
            ))),
            `places` -> MAP_FROM_ENTRIES(TRANSFORM(
                `places`,
                (`first`, `at`) -> NAMED_STRUCT(
                    'value',
                    `sorted`[`first`],
                    'count',
                    COALESCE(GET(`places`, `at` + 1), CARDINALITY(`sorted`)) - `first`
                )
            ))
        )[0]
    )[0] AS `start`
FROM (
    SELECT `a`, `b`
    FROM `spark_catalog`.`programs`.`nothing`
)

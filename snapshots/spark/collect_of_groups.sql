SELECT `customer_id`, `EXPR$0` AS `statuses`, `EXPR$1` AS `large`, CARDINALITY(`EXPR$2`) AS `kinds`
FROM (
    SELECT
        `customer_id`,
        TRANSFORM(
            ARRAY(SORT_ARRAY(ARRAY_AGG(`status`))),
            `sorted` -> TRANSFORM(
                ARRAY(ARRAY_COMPACT(TRANSFORM(
                    `sorted`,
                    (`value`, `at`) -> CASE
                        WHEN `value` IS DISTINCT FROM GET(`sorted`, `at` - 1) THEN `at`
                    END
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
            ARRAY(SORT_ARRAY(ARRAY_AGG(`status`) FILTER (WHERE `amount` > 10))),
            `sorted` -> TRANSFORM(
                ARRAY(ARRAY_COMPACT(TRANSFORM(
                    `sorted`,
                    (`value`, `at`) -> CASE
                        WHEN `value` IS DISTINCT FROM GET(`sorted`, `at` - 1) THEN `at`
                    END
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
        )[0] AS `EXPR$1`,
        TRANSFORM(
            ARRAY(SORT_ARRAY(ARRAY_AGG(DISTINCT `status`))),
            `sorted` -> TRANSFORM(
                ARRAY(ARRAY_COMPACT(TRANSFORM(
                    `sorted`,
                    (`value`, `at`) -> CASE
                        WHEN `value` IS DISTINCT FROM GET(`sorted`, `at` - 1) THEN `at`
                    END
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
        )[0] AS `EXPR$2`
    FROM (
        SELECT `order_id`, `customer_id`, `ordered_at`, `amount`, `discount`, `status`
        FROM `spark_catalog`.`programs`.`orders`
    )
    GROUP BY `customer_id`
)

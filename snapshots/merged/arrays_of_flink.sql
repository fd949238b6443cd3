SELECT
    `product`,
    SLICE(`tags`, 1, 1) AS `first`,
    TRANSFORM(
        ARRAY(NAMED_STRUCT('array', `tags`, 'start', -1, 'end', -1)),
        `given` -> FILTER(
            `given`.`array`,
            (`element`, `index`) -> `index` >= CARDINALITY(`given`.`array`) + -1
        )
    )[0] AS `last`,
    TRANSFORM(
        ARRAY(NAMED_STRUCT('array', `tags`, 'start', `size`.`width`, 'end', -1)),
        `given` -> CASE
            WHEN `given`.`start` IS NOT NULL THEN FILTER(
                `given`.`array`,
                (`element`, `index`) -> `index` >= CASE
                    WHEN `given`.`start` < 0 THEN CARDINALITY(`given`.`array`) + `given`.`start`
                    ELSE `given`.`start` - 1
                END
            )
        END
    )[0] AS `rest`,
    REVERSE(CONCAT(`tags`, ARRAY('x'), `tags`)) AS `turned`,
    AGGREGATE(
        ARRAY(MAP('stock', 0)),
        `attributes`,
        (`united`, `map`) -> MAP_CONCAT(
            MAP_FILTER(`united`, (`key`, `value`) -> NOT MAP_CONTAINS_KEY(`map`, `key`)),
            `map`
        )
    ) AS `updated`,
    REVERSE(`product`) AS `back`
FROM `spark_catalog`.`programs`.`products`

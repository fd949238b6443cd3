SELECT
    TRY_ELEMENT_AT(
        TRANSFORM(
            ARRAYS_ZIP(CONCAT(`t`), ARRAY(1)),
            `row` -> NAMED_STRUCT('tags', `row`.`0`, '1', `row`.`1`)
        ),
        1
    ).`tags` AS `tag`,
    TRY_ELEMENT_AT(ARRAYS_ZIP(ARRAY(`EXPR$0`), ARRAY(1)), 1).`0` AS `price`
FROM (
    SELECT `tags` AS `t`, MAX(`price`) AS `EXPR$0`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    GROUP BY `tags`
)

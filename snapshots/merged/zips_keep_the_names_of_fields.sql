SELECT
    TRY_ELEMENT_AT(
        TRANSFORM(
            ARRAYS_ZIP(CONCAT(`tags`), ARRAY(1)),
            `row` -> NAMED_STRUCT('tags', `row`.`0`, '1', `row`.`1`)
        ),
        1
    ).`tags` AS `tag`,
    TRY_ELEMENT_AT(ARRAYS_ZIP(ARRAY(MAX(`price`)), ARRAY(1)), 1).`0` AS `price`
FROM `spark_catalog`.`programs`.`products`
GROUP BY `tags`

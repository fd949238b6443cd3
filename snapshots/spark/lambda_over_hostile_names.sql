SELECT
    TRANSFORM(`EXPR$0`, `start_0` -> CHAR_LENGTH(`start_0`) + TRY_ELEMENT_AT(`start`, 1)) AS `_c0`
FROM (
    SELECT
        TRANSFORM(`a``b`, `window` -> CONCAT(`window`, `x -> y`)) AS `EXPR$0`,
        TRANSFORM(ARRAY(`window`), `window` -> `window`.`width`) AS `start`
    FROM (
        SELECT `tags` AS `a``b`, `product` AS `x -> y`, `size` AS `window`
        FROM (
            SELECT `product`, `price`, `tags`, `attributes`, `size`
            FROM `spark_catalog`.`programs`.`products`
        )
    )
)

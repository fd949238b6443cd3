SELECT `name`, `score`
FROM `scalars`(
    `i` => CAST(42 AS BIGINT),
    `b` => TRUE
)

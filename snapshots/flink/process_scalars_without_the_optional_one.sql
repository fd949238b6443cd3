SELECT `name`, `score`
FROM `scalars`(
    `i` => CAST(1 AS BIGINT),
    `uid` => 'mine'
)

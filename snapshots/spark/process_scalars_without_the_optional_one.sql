SELECT `name`, `score`
FROM `scalars`(
    `i` => 1L,
    `uid` => 'mine'
)

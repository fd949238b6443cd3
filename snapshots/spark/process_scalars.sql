SELECT `name`, `score`
FROM `scalars`(
    `i` => 42L,
    `b` => TRUE
)

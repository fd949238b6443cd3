select `Select`, `a``b`, t.`x y` as `FROM` from `my db`.t
==== becomes
SELECT `Select`, `a``b`, t.`x y` AS `FROM`
FROM `my db`.t

SELECT `EXPR$0`
FROM `nothing_`()

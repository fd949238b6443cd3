WITH `left_bag_computed` AS (
    SELECT NAMED_STRUCT('x', `x`, 'y', `y`) AS `r`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` = 2
)
SELECT
    TO_CSV(`r`) AS `line`,
    FROM_CSV(TO_CSV(`r`, MAP('sep', '|')), 'x INT, y STRING', MAP('sep', '|')).`y` AS `y`,
    FROM_XML('<r><x>2</x></r>', 'x INT').`x` AS `x`,
    TO_JSON(`r`) AS `j`
FROM `left_bag_computed`

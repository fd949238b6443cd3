WITH `left_bag_joined` AS (
    SELECT
        `outer_left_bag`.`x` AS `a`,
        `outer_left_bag`.`y` AS `b`,
        `right_bag`.`x` AS `c`,
        `right_bag`.`y` AS `d`
    FROM `spark_catalog`.`programs`.`left_bag` AS `outer_left_bag`
    INNER JOIN `spark_catalog`.`programs`.`right_bag`
    ON `outer_left_bag`.`x` = `right_bag`.`x`
    WHERE EXISTS (
        SELECT
            `left_bag`.`x` AS `e`,
            `left_bag`.`y` AS `f`,
            `right_bag_2`.`x` AS `g`,
            `right_bag_2`.`y` AS `h`
        FROM `spark_catalog`.`programs`.`left_bag`
        INNER JOIN `spark_catalog`.`programs`.`right_bag` AS `right_bag_2`
        ON `left_bag`.`x` = `right_bag_2`.`x`
        WHERE `left_bag`.`x` = `outer_left_bag`.`x`
            AND `left_bag`.`y` IS NOT NULL
    )
)
SELECT
    `left_bag_joined`.`a`,
    `left_bag_joined`.`b`,
    `left_bag_joined`.`c`,
    `left_bag_joined`.`d`,
    `left_bag_joined_2`.`a` AS `a2`,
    `left_bag_joined_2`.`b` AS `b2`,
    `left_bag_joined_2`.`c` AS `c2`,
    `left_bag_joined_2`.`d` AS `d2`
FROM `left_bag_joined`
LEFT OUTER JOIN `left_bag_joined` AS `left_bag_joined_2`
ON `left_bag_joined`.`a` = `left_bag_joined_2`.`a`

WITH `customer_filtered` AS (
    SELECT
        `c_custkey`,
        `c_name`,
        `c_address`,
        `c_nationkey`,
        `c_phone`,
        `c_acctbal`,
        `c_mktsegment`,
        `c_comment`,
        `cntrycode`
    FROM (
        SELECT
            `c_custkey`,
            `c_name`,
            `c_address`,
            `c_nationkey`,
            `c_phone`,
            `c_acctbal`,
            `c_mktsegment`,
            `c_comment`,
            SUBSTRING(`c_phone` FROM 1 FOR 2) AS `cntrycode`
        FROM (
            SELECT
                `c_custkey`,
                `c_name`,
                `c_address`,
                `c_nationkey`,
                `c_phone`,
                `c_acctbal`,
                `c_mktsegment`,
                `c_comment`
            FROM `spark_catalog`.`tpch`.`customer`
        )
    )
    WHERE `cntrycode` IN ('13', '31', '23', '29', '30', '18', '17')
)
SELECT `cntrycode`, `numcust`, `totacctbal`
FROM (
    SELECT `cntrycode`, COUNT(1) AS `numcust`, SUM(`c_acctbal`) AS `totacctbal`
    FROM (
        SELECT
            `c_custkey`,
            `c_name`,
            `c_address`,
            `c_nationkey`,
            `c_phone`,
            `c_acctbal`,
            `c_mktsegment`,
            `c_comment`,
            `cntrycode`
        FROM `customer_filtered` AS `outer`
        WHERE `c_acctbal` > (
            SELECT AVG(`c_acctbal`) AS `EXPR$0`
            FROM (
                SELECT
                    `c_custkey`,
                    `c_name`,
                    `c_address`,
                    `c_nationkey`,
                    `c_phone`,
                    `c_acctbal`,
                    `c_mktsegment`,
                    `c_comment`,
                    `cntrycode`
                FROM `customer_filtered`
                WHERE `c_acctbal` > 0.00
            )
        ) AND NOT EXISTS (
            SELECT
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`
            FROM (
                SELECT
                    `o_orderkey`,
                    `o_custkey`,
                    `o_orderstatus`,
                    `o_totalprice`,
                    `o_orderdate`,
                    `o_orderpriority`,
                    `o_clerk`,
                    `o_shippriority`,
                    `o_comment`
                FROM `spark_catalog`.`tpch`.`orders`
            )
            WHERE `o_custkey` = `outer`.`c_custkey`
        )
    )
    GROUP BY `cntrycode`
)
ORDER BY `cntrycode`

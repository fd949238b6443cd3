SELECT `c_custkey`, `c_name`, `revenue`, `c_acctbal`, `n_name`, `c_address`, `c_phone`, `c_comment`
FROM (
    SELECT
        `c_custkey`,
        `c_name`,
        `EXPR$0` AS `revenue`,
        `c_acctbal`,
        `n_name`,
        `c_address`,
        `c_phone`,
        `c_comment`
    FROM (
        SELECT
            `c_custkey`,
            `c_name`,
            `c_acctbal`,
            `c_phone`,
            `n_name`,
            `c_address`,
            `c_comment`,
            SUM(`l_extendedprice` * (1 - `l_discount`)) AS `EXPR$0`
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
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`,
                `l_orderkey`,
                `l_partkey`,
                `l_suppkey`,
                `l_linenumber`,
                `l_quantity`,
                `l_extendedprice`,
                `l_discount`,
                `l_tax`,
                `l_returnflag`,
                `l_linestatus`,
                `l_shipdate`,
                `l_commitdate`,
                `l_receiptdate`,
                `l_shipinstruct`,
                `l_shipmode`,
                `l_comment`,
                `n_nationkey`,
                `n_name`,
                `n_regionkey`,
                `n_comment`
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
                    `o_orderkey`,
                    `o_custkey`,
                    `o_orderstatus`,
                    `o_totalprice`,
                    `o_orderdate`,
                    `o_orderpriority`,
                    `o_clerk`,
                    `o_shippriority`,
                    `o_comment`,
                    `l_orderkey`,
                    `l_partkey`,
                    `l_suppkey`,
                    `l_linenumber`,
                    `l_quantity`,
                    `l_extendedprice`,
                    `l_discount`,
                    `l_tax`,
                    `l_returnflag`,
                    `l_linestatus`,
                    `l_shipdate`,
                    `l_commitdate`,
                    `l_receiptdate`,
                    `l_shipinstruct`,
                    `l_shipmode`,
                    `l_comment`
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
                        `o_orderkey`,
                        `o_custkey`,
                        `o_orderstatus`,
                        `o_totalprice`,
                        `o_orderdate`,
                        `o_orderpriority`,
                        `o_clerk`,
                        `o_shippriority`,
                        `o_comment`,
                        `l_orderkey`,
                        `l_partkey`,
                        `l_suppkey`,
                        `l_linenumber`,
                        `l_quantity`,
                        `l_extendedprice`,
                        `l_discount`,
                        `l_tax`,
                        `l_returnflag`,
                        `l_linestatus`,
                        `l_shipdate`,
                        `l_commitdate`,
                        `l_receiptdate`,
                        `l_shipinstruct`,
                        `l_shipmode`,
                        `l_comment`
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
                        INNER JOIN (
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
                        ON `c_custkey` = `o_custkey`
                    )
                    INNER JOIN (
                        SELECT
                            `l_orderkey`,
                            `l_partkey`,
                            `l_suppkey`,
                            `l_linenumber`,
                            `l_quantity`,
                            `l_extendedprice`,
                            `l_discount`,
                            `l_tax`,
                            `l_returnflag`,
                            `l_linestatus`,
                            `l_shipdate`,
                            `l_commitdate`,
                            `l_receiptdate`,
                            `l_shipinstruct`,
                            `l_shipmode`,
                            `l_comment`
                        FROM `spark_catalog`.`tpch`.`lineitem`
                    )
                    ON `l_orderkey` = `o_orderkey`
                )
                WHERE `o_orderdate` >= DATE '1993-10-01'
                    AND `o_orderdate` < DATE '1993-10-01' + INTERVAL '3' MONTH
                    AND `l_returnflag` = 'R'
            )
            INNER JOIN (
                SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                FROM `spark_catalog`.`tpch`.`nation`
            )
            ON `c_nationkey` = `n_nationkey`
        )
        GROUP BY `c_custkey`, `c_name`, `c_acctbal`, `c_phone`, `n_name`, `c_address`, `c_comment`
    )
)
ORDER BY `revenue` DESC
LIMIT 20

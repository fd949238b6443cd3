SELECT `n_name`, `revenue`
FROM (
    SELECT `n_name`, SUM(`l_extendedprice` * (1 - `l_discount`)) AS `revenue`
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
            `s_suppkey`,
            `s_name`,
            `s_address`,
            `s_nationkey`,
            `s_phone`,
            `s_acctbal`,
            `s_comment`,
            `n_nationkey`,
            `n_name`,
            `n_regionkey`,
            `n_comment`,
            `r_regionkey`,
            `r_name`,
            `r_comment`
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
                `s_suppkey`,
                `s_name`,
                `s_address`,
                `s_nationkey`,
                `s_phone`,
                `s_acctbal`,
                `s_comment`,
                `n_nationkey`,
                `n_name`,
                `n_regionkey`,
                `n_comment`,
                `r_regionkey`,
                `r_name`,
                `r_comment`
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
                    `s_suppkey`,
                    `s_name`,
                    `s_address`,
                    `s_nationkey`,
                    `s_phone`,
                    `s_acctbal`,
                    `s_comment`,
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
                        `l_comment`,
                        `s_suppkey`,
                        `s_name`,
                        `s_address`,
                        `s_nationkey`,
                        `s_phone`,
                        `s_acctbal`,
                        `s_comment`
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
                    INNER JOIN (
                        SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                        FROM `spark_catalog`.`tpch`.`supplier`
                    )
                    ON `l_suppkey` = `s_suppkey` AND `c_nationkey` = `s_nationkey`
                )
                INNER JOIN (
                    SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                    FROM `spark_catalog`.`tpch`.`nation`
                )
                ON `s_nationkey` = `n_nationkey`
            )
            INNER JOIN (
                SELECT `r_regionkey`, `r_name`, `r_comment`
                FROM `spark_catalog`.`tpch`.`region`
            )
            ON `n_regionkey` = `r_regionkey`
        )
        WHERE `r_name` = 'ASIA'
            AND `o_orderdate` >= DATE '1994-01-01'
            AND `o_orderdate` < DATE '1994-01-01' + INTERVAL '1' YEAR
    )
    GROUP BY `n_name`
)
ORDER BY `revenue` DESC

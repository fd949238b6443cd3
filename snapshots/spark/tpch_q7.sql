SELECT `supp_nation`, `cust_nation`, `l_year`, `revenue`
FROM (
    SELECT `supp_nation`, `cust_nation`, `l_year`, SUM(`volume`) AS `revenue`
    FROM (
        SELECT
            `supp_nation`,
            `cust_nation`,
            EXTRACT(YEAR FROM `l_shipdate`) AS `l_year`,
            `l_extendedprice` * (1 - `l_discount`) AS `volume`
        FROM (
            SELECT
                `s_suppkey`,
                `s_name`,
                `s_address`,
                `s_nationkey`,
                `s_phone`,
                `s_acctbal`,
                `s_comment`,
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
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`,
                `c_custkey`,
                `c_name`,
                `c_address`,
                `c_nationkey`,
                `c_phone`,
                `c_acctbal`,
                `c_mktsegment`,
                `c_comment`,
                `n1_key`,
                `supp_nation`,
                `n2_key`,
                `cust_nation`
            FROM (
                SELECT
                    `s_suppkey`,
                    `s_name`,
                    `s_address`,
                    `s_nationkey`,
                    `s_phone`,
                    `s_acctbal`,
                    `s_comment`,
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
                    `o_orderkey`,
                    `o_custkey`,
                    `o_orderstatus`,
                    `o_totalprice`,
                    `o_orderdate`,
                    `o_orderpriority`,
                    `o_clerk`,
                    `o_shippriority`,
                    `o_comment`,
                    `c_custkey`,
                    `c_name`,
                    `c_address`,
                    `c_nationkey`,
                    `c_phone`,
                    `c_acctbal`,
                    `c_mktsegment`,
                    `c_comment`,
                    `n1_key`,
                    `supp_nation`,
                    `n2_key`,
                    `cust_nation`
                FROM (
                    SELECT
                        `s_suppkey`,
                        `s_name`,
                        `s_address`,
                        `s_nationkey`,
                        `s_phone`,
                        `s_acctbal`,
                        `s_comment`,
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
                        `o_orderkey`,
                        `o_custkey`,
                        `o_orderstatus`,
                        `o_totalprice`,
                        `o_orderdate`,
                        `o_orderpriority`,
                        `o_clerk`,
                        `o_shippriority`,
                        `o_comment`,
                        `c_custkey`,
                        `c_name`,
                        `c_address`,
                        `c_nationkey`,
                        `c_phone`,
                        `c_acctbal`,
                        `c_mktsegment`,
                        `c_comment`,
                        `n1_key`,
                        `supp_nation`,
                        `n2_key`,
                        `cust_nation`
                    FROM (
                        SELECT
                            `s_suppkey`,
                            `s_name`,
                            `s_address`,
                            `s_nationkey`,
                            `s_phone`,
                            `s_acctbal`,
                            `s_comment`,
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
                            `o_orderkey`,
                            `o_custkey`,
                            `o_orderstatus`,
                            `o_totalprice`,
                            `o_orderdate`,
                            `o_orderpriority`,
                            `o_clerk`,
                            `o_shippriority`,
                            `o_comment`,
                            `c_custkey`,
                            `c_name`,
                            `c_address`,
                            `c_nationkey`,
                            `c_phone`,
                            `c_acctbal`,
                            `c_mktsegment`,
                            `c_comment`,
                            `n1_key`,
                            `supp_nation`
                        FROM (
                            SELECT
                                `s_suppkey`,
                                `s_name`,
                                `s_address`,
                                `s_nationkey`,
                                `s_phone`,
                                `s_acctbal`,
                                `s_comment`,
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
                                `o_orderkey`,
                                `o_custkey`,
                                `o_orderstatus`,
                                `o_totalprice`,
                                `o_orderdate`,
                                `o_orderpriority`,
                                `o_clerk`,
                                `o_shippriority`,
                                `o_comment`,
                                `c_custkey`,
                                `c_name`,
                                `c_address`,
                                `c_nationkey`,
                                `c_phone`,
                                `c_acctbal`,
                                `c_mktsegment`,
                                `c_comment`
                            FROM (
                                SELECT
                                    `s_suppkey`,
                                    `s_name`,
                                    `s_address`,
                                    `s_nationkey`,
                                    `s_phone`,
                                    `s_acctbal`,
                                    `s_comment`,
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
                                        `s_suppkey`,
                                        `s_name`,
                                        `s_address`,
                                        `s_nationkey`,
                                        `s_phone`,
                                        `s_acctbal`,
                                        `s_comment`,
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
                                        SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                                        FROM `spark_catalog`.`tpch`.`supplier`
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
                                    ON `s_suppkey` = `l_suppkey`
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
                                ON `o_orderkey` = `l_orderkey`
                            )
                            INNER JOIN (
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
                            ON `c_custkey` = `o_custkey`
                        )
                        INNER JOIN (
                            SELECT `n_nationkey` AS `n1_key`, `n_name` AS `supp_nation`
                            FROM (
                                SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                                FROM `spark_catalog`.`tpch`.`nation`
                            )
                        )
                        ON `s_nationkey` = `n1_key`
                    )
                    INNER JOIN (
                        SELECT `n_nationkey` AS `n2_key`, `n_name` AS `cust_nation`
                        FROM (
                            SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                            FROM `spark_catalog`.`tpch`.`nation`
                        )
                    )
                    ON `c_nationkey` = `n2_key`
                )
                WHERE `supp_nation` = 'FRANCE' AND `cust_nation` = 'GERMANY'
                    OR `supp_nation` = 'GERMANY' AND `cust_nation` = 'FRANCE'
            )
            WHERE `l_shipdate` BETWEEN DATE '1995-01-01' AND DATE '1996-12-31'
        )
    )
    GROUP BY `supp_nation`, `cust_nation`, `l_year`
)
ORDER BY `supp_nation`, `cust_nation`, `l_year`

SELECT `nation`, `o_year`, `sum_profit`
FROM (
    SELECT `nation`, `o_year`, CAST(SUM(`amount`) AS DECIMAL(38, 4)) AS `sum_profit`
    FROM (
        SELECT
            `n_name` AS `nation`,
            CAST(EXTRACT(YEAR FROM `o_orderdate`) AS INT) AS `o_year`,
            `l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`) - `ps_supplycost` * `l_quantity` AS `amount`
        FROM (
            SELECT
                `p_partkey`,
                `p_name`,
                `p_mfgr`,
                `p_brand`,
                `p_type`,
                `p_size`,
                `p_container`,
                `p_retailprice`,
                `p_comment`,
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
                `ps_partkey`,
                `ps_suppkey`,
                `ps_availqty`,
                `ps_supplycost`,
                `ps_comment`,
                `o_orderkey`,
                `o_custkey`,
                `o_orderstatus`,
                `o_totalprice`,
                `o_orderdate`,
                `o_orderpriority`,
                `o_clerk`,
                `o_shippriority`,
                `o_comment`,
                `n_nationkey`,
                `n_name`,
                `n_regionkey`,
                `n_comment`
            FROM (
                SELECT
                    `p_partkey`,
                    `p_name`,
                    `p_mfgr`,
                    `p_brand`,
                    `p_type`,
                    `p_size`,
                    `p_container`,
                    `p_retailprice`,
                    `p_comment`,
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
                    `ps_partkey`,
                    `ps_suppkey`,
                    `ps_availqty`,
                    `ps_supplycost`,
                    `ps_comment`,
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
                        `p_partkey`,
                        `p_name`,
                        `p_mfgr`,
                        `p_brand`,
                        `p_type`,
                        `p_size`,
                        `p_container`,
                        `p_retailprice`,
                        `p_comment`,
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
                        `ps_partkey`,
                        `ps_suppkey`,
                        `ps_availqty`,
                        `ps_supplycost`,
                        `ps_comment`
                    FROM (
                        SELECT
                            `p_partkey`,
                            `p_name`,
                            `p_mfgr`,
                            `p_brand`,
                            `p_type`,
                            `p_size`,
                            `p_container`,
                            `p_retailprice`,
                            `p_comment`,
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
                                `p_partkey`,
                                `p_name`,
                                `p_mfgr`,
                                `p_brand`,
                                `p_type`,
                                `p_size`,
                                `p_container`,
                                `p_retailprice`,
                                `p_comment`,
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
                                    `p_partkey`,
                                    `p_name`,
                                    `p_mfgr`,
                                    `p_brand`,
                                    `p_type`,
                                    `p_size`,
                                    `p_container`,
                                    `p_retailprice`,
                                    `p_comment`
                                FROM (
                                    SELECT
                                        `p_partkey`,
                                        `p_name`,
                                        `p_mfgr`,
                                        `p_brand`,
                                        `p_type`,
                                        `p_size`,
                                        `p_container`,
                                        `p_retailprice`,
                                        `p_comment`
                                    FROM `spark_catalog`.`tpch`.`part`
                                )
                                WHERE `p_name` LIKE '%green%'
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
                            ON `p_partkey` = `l_partkey`
                        )
                        INNER JOIN (
                            SELECT `s_suppkey`, `s_name`, `s_address`, `s_nationkey`, `s_phone`, `s_acctbal`, `s_comment`
                            FROM `spark_catalog`.`tpch`.`supplier`
                        )
                        ON `s_suppkey` = `l_suppkey`
                    )
                    INNER JOIN (
                        SELECT `ps_partkey`, `ps_suppkey`, `ps_availqty`, `ps_supplycost`, `ps_comment`
                        FROM `spark_catalog`.`tpch`.`partsupp`
                    )
                    ON `ps_suppkey` = `l_suppkey` AND `ps_partkey` = `l_partkey`
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
                SELECT `n_nationkey`, `n_name`, `n_regionkey`, `n_comment`
                FROM `spark_catalog`.`tpch`.`nation`
            )
            ON `s_nationkey` = `n_nationkey`
        )
    )
    GROUP BY `nation`, `o_year`
)
ORDER BY `nation`, `o_year` DESC

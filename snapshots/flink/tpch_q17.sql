SELECT `EXPR$0` / 7.0 AS `avg_yearly`
FROM (
    SELECT CAST(SUM(`l_extendedprice`) AS DECIMAL(25, 2)) AS `EXPR$0`
    FROM (
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
            `l_comment`,
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
                INNER JOIN (
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
                ON `p_partkey` = `l_partkey`
            )
            WHERE `p_brand` = 'Brand#23' AND `p_container` = 'MED BOX'
        ) AS `outer`
        WHERE `l_quantity` < (
            SELECT CAST(0.2 AS DECIMAL(1, 1)) * `EXPR$0` AS `_c0`
            FROM (
                SELECT CAST(AVG(CAST(`l_quantity` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `EXPR$0`
                FROM (
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
                    FROM (
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
                    WHERE `l_partkey` = `outer`.`p_partkey`
                )
            )
        )
    )
)

SELECT 100.00 * `EXPR$0` / `EXPR$1` AS `promo_revenue`
FROM (
    SELECT
        CAST(SUM(CASE
            WHEN `p_type` LIKE 'PROMO%' THEN `l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`)
            ELSE CAST(0 AS DECIMAL(32, 4))
        END) AS DECIMAL(38, 4)) AS `EXPR$0`,
        CAST(SUM(`l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`)) AS DECIMAL(38, 4)) AS `EXPR$1`
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
            WHERE `l_shipdate` >= DATE '1995-09-01' AND `l_shipdate` < DATE '1995-09-01' + INTERVAL '1' MONTH
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
        ON `l_partkey` = `p_partkey`
    )
)

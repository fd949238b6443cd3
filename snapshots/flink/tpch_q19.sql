SELECT
    CAST(SUM(`l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`)) AS DECIMAL(38, 4)) AS `revenue`
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
    WHERE `p_brand` = 'Brand#12'
        AND `p_container` IN ('SM CASE', 'SM BOX', 'SM PACK', 'SM PKG')
        AND `l_quantity` >= CAST(1 AS DECIMAL(15, 2))
        AND `l_quantity` <= CAST(11 AS DECIMAL(15, 2))
        AND `p_size` BETWEEN 1 AND 5
        AND `l_shipmode` IN ('AIR', 'AIR REG')
        AND `l_shipinstruct` = 'DELIVER IN PERSON'
        OR `p_brand` = 'Brand#23'
            AND `p_container` IN ('MED BAG', 'MED BOX', 'MED PKG', 'MED PACK')
            AND `l_quantity` >= CAST(10 AS DECIMAL(15, 2))
            AND `l_quantity` <= CAST(20 AS DECIMAL(15, 2))
            AND `p_size` BETWEEN 1 AND 10
            AND `l_shipmode` IN ('AIR', 'AIR REG')
            AND `l_shipinstruct` = 'DELIVER IN PERSON'
        OR `p_brand` = 'Brand#34'
            AND `p_container` IN ('LG CASE', 'LG BOX', 'LG PACK', 'LG PKG')
            AND `l_quantity` >= CAST(20 AS DECIMAL(15, 2))
            AND `l_quantity` <= CAST(30 AS DECIMAL(15, 2))
            AND `p_size` BETWEEN 1 AND 15
            AND `l_shipmode` IN ('AIR', 'AIR REG')
            AND `l_shipinstruct` = 'DELIVER IN PERSON'
)

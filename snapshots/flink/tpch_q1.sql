SELECT
    `l_returnflag`,
    `l_linestatus`,
    `sum_qty`,
    `sum_base_price`,
    `sum_disc_price`,
    `sum_charge`,
    `avg_qty`,
    `avg_price`,
    `avg_disc`,
    `count_order`
FROM (
    SELECT
        `l_returnflag`,
        `l_linestatus`,
        CAST(SUM(`l_quantity`) AS DECIMAL(25, 2)) AS `sum_qty`,
        CAST(SUM(`l_extendedprice`) AS DECIMAL(25, 2)) AS `sum_base_price`,
        CAST(SUM(`l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`)) AS DECIMAL(38, 4)) AS `sum_disc_price`,
        CAST(SUM(`l_extendedprice` * (CAST(1 AS DECIMAL(1, 0)) - `l_discount`) * (CAST(1 AS DECIMAL(1, 0)) + `l_tax`)) AS DECIMAL(38, 6)) AS `sum_charge`,
        CAST(AVG(CAST(`l_quantity` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `avg_qty`,
        CAST(AVG(CAST(`l_extendedprice` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `avg_price`,
        CAST(AVG(CAST(`l_discount` AS DECIMAL(19, 6))) AS DECIMAL(19, 6)) AS `avg_disc`,
        COUNT(1) AS `count_order`
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
        WHERE `l_shipdate` <= DATE '1998-12-01' - INTERVAL '90' DAY
    )
    GROUP BY `l_returnflag`, `l_linestatus`
)
ORDER BY `l_returnflag`, `l_linestatus`

SELECT
    APPROX_COUNT_DISTINCT(`k`, 0.1D) AS `different`,
    PERCENTILE_APPROX(`v`, 0.5D) AS `middle`,
    APPROX_TOP_K(`k`, 1) AS `top`,
    CARDINALITY(HISTOGRAM_NUMERIC(`v`, 10)) AS `bins`
FROM `spark_catalog`.`programs`.`events`

SELECT
    VAR_POP(`quantity`) AS `vp`,
    VAR_SAMP(`quantity`) AS `vs`,
    STDDEV_POP(`quantity`) * STDDEV_POP(`quantity`) AS `p`,
    STDDEV_SAMP(`quantity`) * STDDEV_SAMP(`quantity`) > 18.9D AS `q`
FROM `spark_catalog`.`programs`.`lines`
WHERE `quantity` > 1

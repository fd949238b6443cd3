SELECT
    CORR(`v`, `e`) AS `corr`,
    COVAR_POP(`v`, `e`) AS `population`,
    COVAR_SAMP(`v`, `e`) AS `sample`,
    REGR_COUNT(`v`, `e`) AS `n`,
    REGR_AVGX(`v`, `e`) AS `mean`,
    REGR_SLOPE(`v`, `e`) AS `slope`,
    REGR_INTERCEPT(`v`, `e`) AS `intercept`,
    SKEWNESS(`v`) AS `skew`
FROM `spark_catalog`.`programs`.`events`

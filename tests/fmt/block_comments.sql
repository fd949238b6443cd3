/* head */ select /* all */ a, /* one */ b /* two */, f(/* none */), g(/* x */ a), ( -- y
 b + c) from t /* end */;
/* several
   lines */
select 1 /* x
 y */ + 2
==== becomes
/* head */ SELECT
    /* all */ a,
    /* one */ b /* two */,
    f(/* none */),
    g(/* x */ a),
    ( -- y
        b + c
    )
FROM t; /* end */

/* several
   lines */
SELECT 1 /* x
 y */ + 2

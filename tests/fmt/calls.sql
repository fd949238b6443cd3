select f( ), g(a , b), h(a=>1, b => x->x+1), count(distinct a), some_function(first_argument, other_function(second, third), fourth) from t
==== becomes, width 50
SELECT
    f(),
    g(a, b),
    h(a => 1, b => x -> x + 1),
    count(DISTINCT a),
    some_function(
        first_argument,
        other_function(second, third),
        fourth
    )
FROM t

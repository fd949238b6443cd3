Project: (projections: [as(plus(tiny, small), s), as(plus(small, n), i), as(plus(n, big), b), as(plus(n, ratio), f), as(plus(big, level), d), as(plus(fine, tiny), m)])
    Filter: (condition: [equals(n, 1)])
        CatalogTable: (identifier: [spark_catalog.programs.readings], fields: [n, tiny, small, big, ratio, level, fine, raw, day, at, instant])

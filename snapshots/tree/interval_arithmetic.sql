Project: (projections: [as(plus(at, INTERVAL 86400000000 microseconds), d), as(minus(at, INTERVAL 1 months), m), as(minus(plus(at, INTERVAL 5400000000 microseconds), INTERVAL 15000000 microseconds), h), as(plus(day, INTERVAL 12 months), y), as(plus(day, times(n, INTERVAL 86400000000 microseconds)), n), as(minus(at, at), z), as(plus(instant, INTERVAL 250000 microseconds), i)])
    Filter: (condition: [equals(n, 1)])
        CatalogTable: (identifier: [spark_catalog.programs.readings], fields: [n, tiny, small, big, ratio, level, fine, raw, day, at, instant])

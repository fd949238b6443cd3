Project: (projections: [as(extract(SECOND, at), s)])
    Filter: (condition: [lessThan(n, 3)])
        CatalogTable: (identifier: [spark_catalog.programs.readings], fields: [n, tiny, small, big, ratio, level, fine, raw, day, at, instant])

Project: (projections: [as(minus(day, 1999-12-01), days), as(minus(at, 1999-12-31 12:00:00), half)])
    Filter: (condition: [equals(n, 3)])
        CatalogTable: (identifier: [spark_catalog.programs.readings], fields: [n, tiny, small, big, ratio, level, fine, raw, day, at, instant])

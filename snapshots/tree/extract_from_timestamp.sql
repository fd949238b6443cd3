Project: (projections: [as(extract(YEAR, at), year), as(extract(QUARTER, at), quarter), as(extract(MONTH, at), month), as(extract(WEEK, at), week), as(extract(DAY, at), day), as(extract(HOUR, at), hour), as(extract(MINUTE, at), minute)])
    Filter: (condition: [equals(n, 1)])
        CatalogTable: (identifier: [spark_catalog.programs.readings], fields: [n, tiny, small, big, ratio, level, fine, raw, day, at, instant])

Project: (projections: [as(2024-02-29, d), as(12:34:56.789000, t), as(1969-12-31 23:59:59.000001, ts), as(2024-07-01 10:00:00+00:00, z), as(INTERVAL -86400005000 microseconds, i), as(INTERVAL -14 months, m)])
    Filter: (condition: [equals(sku, 'cap')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])

Project: (projections: [as(greaterThanOrEqual(currentDate(), 2024-01-01), d), as(greaterThan(currentTimestamp(), 2024-01-01 00:00:00+00:00), t), as(greaterThan(localTimestamp(), 2024-01-01 00:00:00), l), as(greaterThanOrEqual(currentTime(), 00:00:00), c), as(isNull(localTime()), n)])
    Filter: (condition: [equals(sku, 'cap')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])

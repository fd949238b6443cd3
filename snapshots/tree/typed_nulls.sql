Project: (projections: [as(null, i), as(null, m), as(null, a), as(null, r), as(equals(null, 1), e)])
    Filter: (condition: [equals(sku, 'cap')])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])

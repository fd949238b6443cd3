Project: (projections: [sku, as(notBetween(quantity, 3, 9), n)])
    Filter: (condition: [between(quantity, 2, 3)])
        CatalogTable: (identifier: [spark_catalog.programs.lines], fields: [line_order, sku, quantity])
